/** Default texts for operators. `NAME` stands for the site's name. */

export const TERMS = `These are the terms for using NAME. The people who run this site may replace this text with their own.

You keep all rights in what you upload. You allow NAME to store it, to encode it and to play it to the people that you chose: everybody for a public track, and those who have the link for a private one.

Upload only what you made yourself or may publish. Do not upload what is unlawful where you live or where this site is run, and do not use the site to harass or deceive people or to break into computers.

The operator may hide or remove what breaks these terms, and may close accounts that do so again. You may delete your tracks and your account at any time, in your settings.

The site is offered as it is, without a promise that it is always available. Keep your own copies of what you upload.`;

const TURNSTILE =
  ", except where you create an account: a script of Cloudflare checks there that you are a person, and Cloudflare learns your network address and about your browser";

export const privacyWords = (
  usesTurnstile: boolean,
) => `This page says what NAME knows about you. The people who run this site may replace this text with their own.

Your account holds your e-mail address, a hash of your password, your profile, and what you upload, like, repost, follow and write. Your e-mail address is shown to nobody, unless you put one into a podcast's feed.

The site sets cookies that keep you signed in and protect its forms. It sets none for advertising and loads nothing from other companies' sites${usesTurnstile ? TURNSTILE : ""}.

When you play a track, a code is kept for six and a half hours, so that you are counted once. It reveals neither your address nor what you heard. If you are signed in, your last hundred tracks stand in your history.

Logs of requests hold neither names nor addresses of people. Apps that you connect see what you allow them, and you can disconnect them in your settings.

In your settings you can download your data and delete your account. What you delete disappears at once and is erased soon after. Apps of others that were told of what you did keep their own record; ours of it ends after 30 days.`;

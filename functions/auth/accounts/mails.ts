import type { Ending } from "../../lib/http/deprecations.ts";
import type { Env } from "../../lib/http/env.ts";
import { siteName } from "../../ui/name.ts";
import { day } from "../../ui/words.ts";
import { allowedIn } from "../oauth/powers.tsx";

/** Mails hold no user input for others, or anybody could make the service send them their text. */
export const mail = (env: Env, to: string, subject: string, ...paragraphs: string[]) => ({
  to,
  subject,
  text: `${paragraphs.join("\n\n")}\n\n${siteName(env)}\n`,
});

const link = (env: Env, path: string, token: string) => `${env.AUTH_URL}${path}?token=${token}`;

export const confirmationMail = (env: Env, to: string, token: string) =>
  mail(
    env,
    to,
    "Confirm your e-mail address",
    `Somebody entered this address for an account on ${siteName(env)}. To confirm that it is yours, open this page within three days:`,
    link(env, "/confirm", token),
    "If it was not you, do nothing: the address will not be used.",
  );

export const resetMail = (env: Env, to: string, token: string) =>
  mail(
    env,
    to,
    "Choose a new password",
    `Somebody, we hope you, asked for a new password for your account on ${siteName(env)}. Open this page within an hour:`,
    link(env, "/reset", token),
    "If it was not you, do nothing: your password stays as it is.",
  );

export const addressChangeMail = (env: Env, to: string, token: string) =>
  mail(
    env,
    to,
    "Another e-mail address for your account",
    `Somebody, we hope you, asked to change the e-mail address of your account on ${siteName(env)}. The change takes effect when the link in our mail to the new address is opened.`,
    "If it was not you, open this page within three days to stop it, then choose a new password, because somebody knows yours:",
    link(env, "/cancel-change", token),
    "If it was you, there is nothing to do.",
  );

export const addressChangedMail = (env: Env, to: string) =>
  mail(
    env,
    to,
    "Your e-mail address was changed",
    `Your account on ${siteName(env)} has a new e-mail address. This one is no longer used.`,
    "If it was not you, somebody knows your password. Write to the operators of this site.",
  );

export const passwordChangedMail = (env: Env, to: string) =>
  mail(
    env,
    to,
    "Your password was changed",
    `The password of your account on ${siteName(env)} was changed, and all other browsers and apps were signed out.`,
    "If it was not you, ask for a new password at once, on the sign-in page.",
  );

export const tokenMadeMail = (env: Env, to: string, scope: string, endsAt: string) =>
  mail(
    env,
    to,
    "A personal token was made",
    `Somebody, we hope you, made a personal token for your account on ${siteName(env)}. It works until ${endsAt.slice(0, 10)}. ${allowedIn(scope)}`,
    "If it was not you, somebody knows your password. Choose another at once: that ends all tokens. Your tokens are here:",
    `${env.AUTH_URL}/settings/tokens`,
  );

/** Only operators have one. Anybody with the password could set up the first, so the owner must hear of it. */
export const secondFactorMail = (env: Env, to: string, change: "set up" | "removed") =>
  mail(
    env,
    to,
    `Your second factor was ${change}`,
    `The second factor of your account on ${siteName(env)}, which opens the pages of its operators, was ${change}.`,
    "If it was not you, somebody knows your password. Choose another at once, and tell the other operators.",
  );

/** Goes to the owner that a feed names, who may have no account here. */
export const podcastCodeMail = (env: Env, to: string, code: string) =>
  mail(
    env,
    to,
    "Your code for moving a podcast",
    `Somebody, we hope you, wants to move a podcast to ${siteName(env)}. Its feed names this address as its owner's. To show that it is yours, enter this code on the page that asks for it:`,
    code,
    "If it was not you, do nothing and tell nobody the code: without it nothing is moved.",
  );

const WEBHOOK_TROUBLES = {
  gone: "The receiver replied that it is gone (410).",
  failing: "No attempt to reach the receiver has succeeded for five days.",
};

export const originalDeletedMail = (
  env: Env,
  to: string,
  { days, tracks }: { days: number; tracks: number },
) =>
  tracks === 1
    ? mail(
        env,
        to,
        "The file of a failed track was deleted",
        `One of your tracks on ${siteName(env)} could not be encoded, and nobody tried again for ${days} days, so the file that you had sent was deleted. What you wrote about the track is still there:`,
        `${env.WEB_URL}/you/tracks`,
        "To publish it, upload the file once more, or one in another format.",
      )
    : mail(
        env,
        to,
        `The files of ${tracks} failed tracks were deleted`,
        `${tracks} of your tracks on ${siteName(env)} could not be encoded, and nobody tried again for ${days} days, so the files that you had sent were deleted. What you wrote about the tracks is still there:`,
        `${env.WEB_URL}/you/tracks`,
        "To publish them, upload the files once more, or in another format.",
      );

interface AppFacts {
  event: "revoke" | "restore";
  app: string;
  /** The operators' words for the owner. */
  message: string | null;
}

export const appMail = (env: Env, to: string, { event, app, message }: AppFacts) =>
  event === "revoke"
    ? mail(
        env,
        to,
        "Your app was revoked",
        `The people who run ${siteName(env)} revoked “${app}”. Its tokens and sessions ended, for everybody, and it gets no new ones.`,
        ...(message ? [`They say: ${message}`] : []),
        "What you can do stands beside it:",
        `${env.AUTH_URL}/you/apps`,
      )
    : mail(
        env,
        to,
        "Your app is back",
        `“${app}”, which the people who run ${siteName(env)} had revoked, works again. Its users allow it anew; the client id and the secret are as before.`,
        `${env.AUTH_URL}/you/apps`,
      );

/** The names are those that the owner gave the apps. */
export const deprecationMail = (
  env: Env,
  to: string,
  apps: string[],
  { title, text, ends, replacement }: Ending,
) => {
  const what = `something that ends on ${day(ends)}`;
  const [only, ...others] = apps;
  return mail(
    env,
    to,
    others.length ? `${apps.length} of your apps use ${what}` : `Your app uses ${what}`,
    others.length
      ? `${apps.length} of your apps on ${siteName(env)} use ${what}. Their requests will fail from that day on. They are:`
      : `“${only}”, your app on ${siteName(env)}, uses ${what}. Its requests will fail from that day on. This is what it uses:`,
    ...(others.length ? [apps.map((app) => `“${app}”`).join("\n"), "This is what they use:"] : []),
    title.replaceAll("`", ""),
    text.replaceAll("`", ""),
    "The page below tells what replaces it:",
    `${env.API_URL}${replacement}`,
    `When an app used it last stands at ${env.AUTH_URL}/you/apps.`,
  );
};

export const webhookDisabledMail = (
  env: Env,
  to: string,
  uri: string,
  reason: keyof typeof WEBHOOK_TROUBLES,
) =>
  mail(
    env,
    to,
    "A webhook was switched off",
    `One of your webhooks on ${siteName(env)} no longer receives events. ${WEBHOOK_TROUBLES[reason]}`,
    uri,
    "Its log shows every delivery. When the receiver works again, set `enabled`; missed events can be replayed.",
  );

/**
 * Notices shown on the next page. The URL holds only a notice's name; `to` is the user's current or new mail address.
 */
const NOTICES = {
  welcome: (to: string) =>
    `Your account is ready. We have sent a mail to ${to}: open its link to confirm your address.`,
  profile: "Your profile is saved.",
  picture: "Your picture is saved.",
  "picture-removed": "Your picture is removed.",
  "mail-sent": (to: string) => `A mail is on its way to ${to}. Open its link to confirm the address.`,
  "address-asked": (to: string) =>
    `A mail is on its way to ${to}. Open its link to confirm the address. We have notified your current address too.`,
  "change-cancelled": "The change is cancelled. Your e-mail address stays as it is.",
  "already-confirmed": "Your e-mail address is confirmed already.",
  "password-changed":
    "Your password is changed. All other browsers and apps are signed out, and personal tokens have ended.",
  "password-reset": "Your password is changed. Sign in with the new one.",
  "app-removed": "The app is disconnected. Its tokens no longer work.",
  "token-ended": "The token has ended. It no longer works.",
  "tokens-ended": "All personal tokens have ended. They no longer work.",
  "browser-ended": "The browser is signed out.",
  "browsers-ended": "All other browsers are signed out.",
  "webhook-ended": "The webhook has ended. It receives nothing more.",
  "signed-out": "You are signed out.",
  "account-deleted": "Your account is deleted. What you uploaded is being removed.",
};

type NoticeName = keyof typeof NOTICES;

export const isNotice = (name: string | undefined): name is NoticeName =>
  name !== undefined && Object.hasOwn(NOTICES, name);

export function Notice({ name, to = "your address" }: { name: NoticeName; to?: string }) {
  const notice = NOTICES[name];
  return (
    <p class="done" role="status">
      {typeof notice === "string" ? notice : notice(to)}
    </p>
  );
}

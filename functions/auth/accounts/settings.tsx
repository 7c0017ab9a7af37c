import type { Context } from "hono";
import * as z from "zod";
import { SessionEnded } from "../../../db/faults.ts";
import { exportAccount } from "../../../db/queries/account-export.ts";
import { resendConfirmation } from "../../../db/queries/mail-links.ts";
import {
  endBrowsers,
  endWebhook,
  findSettings,
  type Profile,
  revokeApp,
  updateProfile,
  withdrawEmailChange,
} from "../../../db/queries/settings.ts";
import { problemsOf, RESERVED, USERNAME_TAKEN } from "../../api/users/account-input.ts";
import { ProfileInput, profileFields } from "../../api/users/settings-input.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { Routes } from "../../lib/http/route.ts";
import { parseParams } from "../../lib/http/validate.ts";
import { plainIdText } from "../../lib/text/fields.ts";
import { isReservedName, usernameKeys } from "../../lib/text/look-alike.ts";
import { changedIn } from "../../ui/changed-fields.ts";
import { clearSiteCookie, siteSessionHash } from "../../ui/cookies.ts";
import { readOwnForm } from "../../ui/form-guard.ts";
import { siteName } from "../../ui/name.ts";
import { signInPath } from "../../ui/next.ts";
import { seeOther, showError } from "../../ui/page.tsx";
import { openExport } from "./export.ts";
import { newMailToken } from "./mail-token.ts";
import { showSettings } from "./settings-page.tsx";
import { tooManyAttempts } from "./sign-in.tsx";

/** Settings that need the session only, not the password. */
export const settingsPages = new Routes({ renderError: signInOrError });

/** Sends a signed-out user to sign-in, and back to the page afterwards. */
export function toSignIn(c: Context<AppEnv>, page = "/settings"): Response {
  if (siteSessionHash(c)) clearSiteCookie(c);
  return seeOther(c, signInPath(page));
}

/** Renders an error of the settings: statements raise `SessionEnded` for a signed-out user. */
export function signInOrError(error: unknown, c: Context<AppEnv>, page?: string): Response {
  return error instanceof SessionEnded ? toSignIn(c, page) : showError(error, c);
}

/** The session's hash. Without a session it is "", which no session has, so the statement finds nobody. */
export const sessionOf = (c: Context<AppEnv>): string => siteSessionHash(c) ?? "";

settingsPages.page("/settings", async (c) => {
  const session = siteSessionHash(c);
  const settings = session && (await findSettings(c.var.db, session));
  return settings ? showSettings(c, settings) : toSignIn(c);
});

settingsPages.form("/settings/profile", async (c) => {
  const sent = await readOwnForm(c, "profile");
  const given = ProfileInput.safeParse(profileFields(sent));
  const problems = given.success
    ? await saveProfile(c, changedIn(sent, given.data))
    : problemsOf(given.error);
  if (problems === "saved") return seeOther(c, "/settings?notice=profile");
  const settings = await findSettings(c.var.db, sessionOf(c));
  if (!settings) return toSignIn(c);
  return showSettings(c, settings, { form: "profile", state: { values: sent, problems } });
});

/** Returns the problems by field. */
async function saveProfile(c: Context<AppEnv>, changes: Partial<Profile>) {
  const { username } = changes;
  if (username !== undefined && isReservedName(username, siteName(c.env))) {
    // A user keeps a name that an operator assigned, or that the service reserved later.
    const present = await findSettings(c.var.db, sessionOf(c));
    if (present && present.profile.username !== username) return { username: RESERVED };
  }
  const keys = username === undefined ? {} : usernameKeys(username);
  const isSaved = await updateProfile(c.var.db, sessionOf(c), { ...changes, ...keys });
  return isSaved ? "saved" : { username: USERNAME_TAKEN };
}

settingsPages.form("/settings/confirmation", async (c) => {
  await readOwnForm(c, "resend");
  const found = await resendConfirmation(c.var.db, sessionOf(c), newMailToken(c.env, "confirm"));
  switch (found.outcome) {
    case "limited":
      return tooManyAttempts(found.retry_after);
    case "confirmed":
      return seeOther(c, "/settings?notice=already-confirmed");
    case "sent":
      return seeOther(c, "/settings?notice=mail-sent");
  }
});

settingsPages.form("/settings/email/cancel", async (c) => {
  await readOwnForm(c, "cancel change");
  await withdrawEmailChange(c.var.db, sessionOf(c));
  return seeOther(c, "/settings?notice=change-cancelled");
});

const appIn = parseParams(z.object({ app: plainIdText }));

settingsPages.form("/settings/apps/:app/revoke", async (c) => {
  const { app } = appIn(c);
  await readOwnForm(c, `revoke ${app}`);
  await revokeApp(c.var.db, sessionOf(c), app);
  return seeOther(c, "/settings?notice=app-removed");
});

const webhookIn = parseParams(z.object({ webhook: plainIdText }));

settingsPages.form("/settings/webhooks/:webhook/end", async (c) => {
  const { webhook } = webhookIn(c);
  await readOwnForm(c, `end webhook ${webhook}`);
  await endWebhook(c.var.db, sessionOf(c), webhook);
  return seeOther(c, "/settings?notice=webhook-ended");
});

const browserIn = parseParams(z.object({ browser: z.string().regex(/^[\w-]{16}$/) }));

settingsPages.form("/settings/browsers/:browser/end", async (c) => {
  const { browser } = browserIn(c);
  await readOwnForm(c, `end browser ${browser}`);
  await endBrowsers(c.var.db, sessionOf(c), browser);
  return seeOther(c, "/settings?notice=browser-ended");
});

settingsPages.form("/settings/other-browsers/end", async (c) => {
  await readOwnForm(c, "end other browsers");
  await endBrowsers(c.var.db, sessionOf(c));
  return seeOther(c, "/settings?notice=browsers-ended");
});

settingsPages.form("/settings/export", async (c) => {
  await readOwnForm(c, "export");
  const exported = await openExport((from) => exportAccount(c.var.db, sessionOf(c), from));
  if (!exported) return toSignIn(c);
  return c.body(exported, 200, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Disposition": 'attachment; filename="soundpost.json"',
    "Cache-Control": "no-store",
  });
});

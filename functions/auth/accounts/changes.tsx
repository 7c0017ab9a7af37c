import type { Context } from "hono";
import * as z from "zod";
import {
  type Change,
  changeEmail,
  changePassword,
  deleteAccount,
} from "../../../db/queries/account-changes.ts";
import { findSettings } from "../../../db/queries/settings.ts";
import { expireUploadsOf } from "../../api/uploads/expire.ts";
import { ChosenPassword, Email, problemsOf } from "../../api/users/account-input.ts";
import { domainProblem } from "../../api/users/mail-domains.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { Routes } from "../../lib/http/route.ts";
import { hashPassword } from "../../lib/security/password.ts";
import { clearSiteCookie, newSessionOf, setSiteCookie } from "../../ui/cookies.ts";
import type { FormState } from "../../ui/form.tsx";
import { readOwnForm } from "../../ui/form-guard.ts";
import { siteEntry } from "../../ui/next.ts";
import { seeOther, showError } from "../../ui/page.tsx";
import { CurrentPassword, confirmChange, WRONG_PASSWORD } from "./confirmed-change.ts";
import { rememberBrowser } from "./known-browser.ts";
import { newMailToken } from "./mail-token.ts";
import { sessionOf, toSignIn } from "./settings.tsx";
import { type SentForm, showSettings } from "./settings-page.tsx";
import { tooManyAttempts } from "./sign-in.tsx";

/** Changes that require the password again, because access to an open browser must not suffice. */
export const changes = new Routes({ renderError: showError });

const EmailChange = z.object({ email: Email, current_password: CurrentPassword });
const PasswordChange = z.object({ new_password: ChosenPassword, current_password: CurrentPassword });
const Deletion = z.object({ current_password: CurrentPassword });

const UNCONFIRMED = "cannot change before the current one is confirmed";

changes.form("/settings/email", (c) =>
  change(c, "email", EmailChange, async ({ email }, by, { again }) => {
    const wrongDomain = domainProblem(c.env, email);
    if (wrongDomain) return again({ email: wrongDomain });
    const [token, cancel] = [newMailToken(c.env, "confirm"), newMailToken(c.env, "cancel")];
    const found = await changeEmail(c.var.db, by, email, token, cancel);
    if (found.outcome === "signed_out") return toSignIn(c);
    if (found.outcome === "limited") return tooManyAttempts(found.retry_after);
    if (found.outcome === "unconfirmed") return again({ email: UNCONFIRMED });
    if (found.outcome === "same") return again({ email: "is the current one" });
    return seeOther(c, "/settings?notice=address-asked");
  }),
);

changes.form("/settings/password", (c) =>
  change(c, "password", PasswordChange, async ({ new_password }, by, { user }) => {
    const passwordHash = await hashPassword(new_password, c.env);
    const { cookie, session } = newSessionOf(c);
    const changed = await changePassword(c.var.db, by, passwordHash, session);
    if (!changed) return toSignIn(c);
    setSiteCookie(c, cookie);
    rememberBrowser(c, user, passwordHash);
    return seeOther(c, siteEntry(c.env, "/settings?notice=password-changed"));
  }),
);

changes.form("/settings/delete", (c) =>
  change(c, "delete", Deletion, async (_given, by, { user }) => {
    if (!(await deleteAccount(c.var.db, by))) return toSignIn(c);
    await expireUploadsOf(c, user);
    clearSiteCookie(c);
    return seeOther(c, "/signin?notice=account-deleted");
  }),
);

interface Shown {
  /** Id of the user. */
  user: number;
  /** Shows the form again with its problems. */
  again: (problems: FormState["problems"]) => Promise<Response>;
}

/** Calls `apply` with the parsed form and the session, or shows the form again with its problems. */
async function change<Given extends { current_password: string }>(
  c: Context<AppEnv>,
  form: SentForm,
  schema: z.ZodType<Given>,
  apply: (given: Given, by: Change, shown: Shown) => Promise<Response>,
): Promise<Response> {
  const sent = await readOwnForm(c, form);
  const again: Shown["again"] = async (problems) => {
    const settings = await findSettings(c.var.db, sessionOf(c));
    const state = { values: { email: sent.email }, problems };
    return settings ? showSettings(c, settings, { form, state }) : toSignIn(c);
  };
  const given = schema.safeParse({ email: "", new_password: "", current_password: "", ...sent });
  if (!given.success) return again(problemsOf(given.error));
  const confirmed = await confirmChange(c, given.data.current_password);
  if (confirmed.outcome === "signed_out") return toSignIn(c);
  if (confirmed.outcome === "wrong") return again(WRONG_PASSWORD);
  const { user, by } = confirmed;
  return apply(given.data, by, { user, again });
}

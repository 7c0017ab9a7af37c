import type { Context } from "hono";
import * as z from "zod";
import { beginSignUp, signUp, type Taken } from "../../../db/queries/accounts.ts";
import {
  ChosenPassword,
  Email,
  problemsOf,
  RESERVED,
  USERNAME_TAKEN,
  Username,
} from "../../api/users/account-input.ts";
import { addressOf } from "../../lib/http/address.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { budgetOf, settleBudget } from "../../lib/http/limits/budgets.ts";
import { Routes } from "../../lib/http/route.ts";
import { hashPassword, refuseWhileCrowded } from "../../lib/security/password.ts";
import { isReservedName, usernameKeys } from "../../lib/text/look-alike.ts";
import { newSessionOf, setSiteCookie } from "../../ui/cookies.ts";
import { EMPTY, Field, Form, type FormState } from "../../ui/form.tsx";
import { formToken, readOwnForm } from "../../ui/form-guard.ts";
import { siteName } from "../../ui/name.ts";
import { askedNext, DEFAULT_NEXT, formActionTo, leadsHome, ownPath, signInPath } from "../../ui/next.ts";
import { seeOther, showCard, showError } from "../../ui/page.tsx";
import { rememberBrowser } from "./known-browser.ts";
import { newMailToken } from "./mail-token.ts";
import { permalinksOf } from "./permalink.ts";

export const signUpPages = new Routes({ renderError: showError });

const LABELS = { username: "Username", email: "E-mail address", password: "Password" };

const NewAccount = z.object({ username: Username, email: Email, password: ChosenPassword });

signUpPages.page("/signup", (c) => showSignUp(c, ownPath(askedNext(c.req.url))));

signUpPages.form("/signup", async (c) => {
  const sent = await readOwnForm(c, "sign-up");
  const next = ownPath(sent.next);
  const given = NewAccount.safeParse({ username: "", email: "", password: "", ...sent });
  const problems = given.success ? await makeAccount(c, given.data) : problemsOf(given.error);
  if (problems) return showSignUp(c, next, { values: sent, problems });
  return seeOther(c, next + welcomeAt(next));
});

/** Makes the settings, or a page of the site, announce the mail. An app has no place for that. */
const welcomeAt = (next: string): string =>
  next === DEFAULT_NEXT ? "?notice=welcome" : next.startsWith("/session/code?") ? "&notice=welcome" : "";

/** Creates the account and signs the user in. Returns the problems, if any. */
async function makeAccount(
  c: Context<AppEnv>,
  { username, email, password }: z.output<typeof NewAccount>,
): Promise<FormState["problems"] | undefined> {
  if (isReservedName(username, siteName(c.env))) return { username: RESERVED };
  refuseWhileCrowded(c.env);
  const name = { username, ...usernameKeys(username), ...(await permalinksOf(username)) };
  const budget = budgetOf(c.env, "sign-ups");
  const asked = await beginSignUp(c.var.db, name, email, addressOf(c.req), budget);
  const open = settleBudget(c, "sign-ups", asked);
  if (open.username_taken || open.email_taken) return takenProblems(open);
  const account = { ...name, email, password_hash: await hashPassword(password, c.env) };
  const { cookie, session } = newSessionOf(c);
  const made = await signUp(c.var.db, account, session, newMailToken(c.env, "confirm"));
  if (made.outcome === "taken") return takenProblems(made);
  setSiteCookie(c, cookie);
  rememberBrowser(c, made.user, account.password_hash);
  return undefined;
}

/**
 * Sign-up reveals that an address has an account, because success signs the user in at once, whatever the text. A
 * budget by network address limits such probing, and no other page reveals it.
 */
const takenProblems = ({ username_taken, email_taken }: Taken): FormState["problems"] => ({
  ...(username_taken && { username: USERNAME_TAKEN }),
  ...(email_taken && { email: "has an account already; sign in, or choose a new password" }),
});

function showSignUp(c: Context<AppEnv>, next: string, state: FormState = EMPTY): Response {
  const field = { form: "sign-up", state };
  return showCard(c, {
    title: "Create an account",
    status: state === EMPTY ? 200 : 422,
    formAction: formActionTo(c.env, next),
    body: (
      <Form
        name="sign-up"
        action="/signup"
        token={formToken(c, "sign-up")}
        state={state}
        labels={LABELS}
        hidden={{ next }}
        leadsHome={leadsHome(next)}
        submit="Create account"
      >
        <Field
          {...field}
          name="username"
          label={LABELS.username}
          autocomplete="nickname"
          maxlength={50}
          hint="The name that people see. It also makes the address of your profile."
        />
        <Field
          {...field}
          name="email"
          label={LABELS.email}
          type="email"
          autocomplete="email"
          maxlength={254}
        />
        <Field
          {...field}
          name="password"
          label={LABELS.password}
          type="password"
          autocomplete="new-password"
          hint="At least 8 characters. Several words are easy to remember and hard to guess."
        />
      </Form>
    ),
    beside: (
      <>
        Have an account? <a href={signInPath(next)}>Sign in</a>
      </>
    ),
  });
}

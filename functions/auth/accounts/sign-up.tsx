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
import { domainProblem } from "../../api/users/mail-domains.ts";
import { addressOf } from "../../lib/http/address.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { budgetOf, settleBudget } from "../../lib/http/limits/budgets.ts";
import { confirmsFirst, registrationOf } from "../../lib/http/registration.ts";
import { Routes } from "../../lib/http/route.ts";
import { hashPassword, refuseWhileCrowded } from "../../lib/security/password.ts";
import { hashSecret } from "../../lib/security/random.ts";
import { isReservedName, usernameKeys } from "../../lib/text/look-alike.ts";
import { newSessionOf, setSiteCookie } from "../../ui/cookies.ts";
import { EMPTY, Field, Form, type FormState } from "../../ui/form.tsx";
import { formToken, readOwnForm } from "../../ui/form-guard.ts";
import { siteName } from "../../ui/name.ts";
import { askedNext, DEFAULT_NEXT, formActionTo, leadsHome, ownPath, signInPath } from "../../ui/next.ts";
import { seeOther, showCard, showError } from "../../ui/page.tsx";
import { UNTIL_CONFIRMED, WhoMaySignUp } from "../../ui/registration.tsx";
import { codeIn, INVITED_MEANWHILE, invitationProblem, problemOfCode } from "./invited.ts";
import { rememberBrowser } from "./known-browser.ts";
import { newMailToken } from "./mail-token.ts";
import { permalinksOf } from "./permalink.ts";
import { checkPerson, PersonCheck, PROOF_USED, widgetOrigin } from "./person-check.tsx";

export const signUpPages = new Routes({ renderError: showError });

const LABELS = {
  invitation: "Invitation",
  username: "Username",
  email: "E-mail address",
  password: "Password",
};

const NewAccount = z.object({
  invitation: z.string(),
  username: Username,
  email: Email,
  password: ChosenPassword,
});

const needsInvitation = ({ env }: Context<AppEnv>): boolean => registrationOf(env) === "invite";

signUpPages.page("/signup", async (c) => {
  const next = ownPath(askedNext(c.req.url));
  if (registrationOf(c.env) === "closed") return showClosed(c, next);
  const code = c.req.query("invitation");
  if (!needsInvitation(c) || code === undefined) return showSignUp(c, next);
  const problem = await problemOfCode(c.var.db, codeIn(code));
  return showSignUp(c, next, {
    values: { invitation: code },
    problems: problem === undefined ? {} : { invitation: problem },
  });
});

signUpPages.form("/signup", async (c) => {
  const sent = await readOwnForm(c, "sign-up");
  const next = ownPath(sent.next);
  if (registrationOf(c.env) === "closed") return showClosed(c, next);
  const given = NewAccount.safeParse({ invitation: "", username: "", email: "", password: "", ...sent });
  const problems = given.success ? await makeAccount(c, given.data, sent) : problemsOf(given.error);
  if (problems) return showSignUp(c, next, { values: sent, problems });
  return seeOther(c, next + welcomeAt(next));
});

/** Makes the settings, or a page of the site, announce the mail. An app has no place for that. */
const welcomeAt = (next: string): string =>
  next === DEFAULT_NEXT ? "?notice=welcome" : next.startsWith("/session/code?") ? "&notice=welcome" : "";

/** Creates the account and signs the user in. Returns the problems, if any. */
async function makeAccount(
  c: Context<AppEnv>,
  { username, email, password, ...given }: z.output<typeof NewAccount>,
  sent: Record<string, string>,
): Promise<FormState["problems"] | undefined> {
  if (isReservedName(username, siteName(c.env))) return { username: RESERVED };
  const wrongDomain = domainProblem(c.env, email);
  if (wrongDomain) return { email: wrongDomain };
  refuseWhileCrowded(c.env);
  const checked = await checkPerson(c, sent);
  if ("problem" in checked) return { form: checked.problem };
  const name = { username, ...usernameKeys(username), ...(await permalinksOf(username)) };
  const budget = budgetOf(c.env, "sign-ups");
  const invitation = needsInvitation(c) ? hashSecret(codeIn(given.invitation)) : null;
  const { proof } = checked;
  const address = addressOf(c.req);
  const asked = await beginSignUp(c.var.db, { name, email, invitation, address, budget, proof });
  const open = settleBudget(c, "sign-ups", asked);
  if (open.proof_used) return { form: PROOF_USED };
  const uninvited = invitation === null ? undefined : invitationProblem(open.invitation ?? undefined);
  if (uninvited !== undefined) return { invitation: uninvited };
  if (open.username_taken || open.email_taken) return takenProblems(open);
  const passwordHash = await hashPassword(password, c.env);
  const account = {
    ...name,
    email,
    password_hash: passwordHash,
    invitation,
    awaits_confirmation: confirmsFirst(c.env),
  };
  const { cookie, session } = newSessionOf(c);
  const made = await signUp(c.var.db, account, session, newMailToken(c.env, "confirm"));
  if (made.outcome === "uninvited") return { invitation: INVITED_MEANWHILE };
  if (made.outcome === "taken") return takenProblems(made);
  setSiteCookie(c, cookie);
  rememberBrowser(c, made.user, passwordHash);
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

/** Nobody may sign up. */
const showClosed = (c: Context<AppEnv>, next: string): Response =>
  showCard(c, {
    title: "Sign-up is closed",
    status: 403,
    body: (
      <p>
        <WhoMaySignUp env={c.env} />
      </p>
    ),
    beside: (
      <>
        Have an account? <a href={signInPath(next)}>Sign in</a>
      </>
    ),
  });

function showSignUp(c: Context<AppEnv>, next: string, state: FormState = EMPTY): Response {
  const field = { form: "sign-up", state };
  const token = formToken(c, "sign-up");
  return showCard(c, {
    title: "Create an account",
    status: Object.keys(state.problems).length === 0 ? 200 : 422,
    formAction: formActionTo(c.env, next),
    widget: widgetOrigin(c.env),
    body: (
      <Form
        name="sign-up"
        action="/signup"
        token={token}
        state={state}
        labels={LABELS}
        hidden={{ next }}
        leadsHome={leadsHome(next)}
        submit="Create account"
      >
        {needsInvitation(c) && (
          <>
            <p>
              <WhoMaySignUp env={c.env} />
            </p>
            <Field
              {...field}
              name="invitation"
              label={LABELS.invitation}
              autocomplete="off"
              hint="The link that you got, or the code at its end."
            />
          </>
        )}
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
          hint={confirmsFirst(c.env) ? `We send a link to it. ${UNTIL_CONFIRMED}` : undefined}
        />
        <Field
          {...field}
          name="password"
          label={LABELS.password}
          type="password"
          autocomplete="new-password"
          hint="At least 8 characters. Several words are easy to remember and hard to guess."
        />
        <PersonCheck env={c.env} token={token} />
      </Form>
    ),
    beside: (
      <>
        Have an account? <a href={signInPath(next)}>Sign in</a>
      </>
    ),
  });
}

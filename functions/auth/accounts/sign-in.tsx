import type { Context } from "hono";
import { beginSignIn, findSiteUser, signIn, signOut } from "../../../db/queries/accounts.ts";
import { Credentials } from "../../api/users/account-input.ts";
import { addressOf } from "../../lib/http/address.ts";
import type { AppEnv, Env } from "../../lib/http/env.ts";
import { tooMany } from "../../lib/http/errors.ts";
import { registrationOf } from "../../lib/http/registration.ts";
import { Routes } from "../../lib/http/route.ts";
import { hashPassword, isOutdated, refuseWhileCrowded, verifyPassword } from "../../lib/security/password.ts";
import { clearSiteCookie, newSessionOf, setSiteCookie, siteSessionHash } from "../../ui/cookies.ts";
import { EMPTY, Field, Form, type FormState } from "../../ui/form.tsx";
import { formToken, readOwnForm } from "../../ui/form-guard.ts";
import { askedNext, formActionTo, leadsHome, ownPath, signInPath, signUpPath } from "../../ui/next.ts";
import { seeOther, showCard, showError } from "../../ui/page.tsx";
import { WhoMaySignUp } from "../../ui/registration.tsx";
import { knownBrowser, rememberBrowser } from "./known-browser.ts";
import { isNotice, Notice } from "./notices.tsx";

export const signInPages = new Routes({ renderError: showError });

signInPages.page("/signin", async (c) => {
  const next = ownPath(askedNext(c.req.url));
  const session = siteSessionHash(c);
  const signedIn = session && (await findSiteUser(c.var.db, session));
  return signedIn ? seeOther(c, next) : showSignIn(c, next);
});

signInPages.form("/signin", async (c) => {
  const sent = await readOwnForm(c, "sign-in");
  const next = ownPath(sent.next);
  const opened = await openSession(c, sent);
  if ("problem" in opened)
    return showSignIn(c, next, { values: { email: sent.email }, problems: { form: opened.problem } });
  setSiteCookie(c, opened.cookie);
  return seeOther(c, next);
});

signInPages.form("/signout", async (c) => {
  const sent = await readOwnForm(c, "sign-out");
  const session = siteSessionHash(c);
  if (session) await signOut(c.var.db, session);
  clearSiteCookie(c);
  // Signs in as another user and returns.
  return seeOther(c, sent.next === undefined ? "/signin?notice=signed-out" : signInPath(ownPath(sent.next)));
});

const WRONG = { problem: "The e-mail address or the password is wrong." };

/** Returns the new session's cookie, or the reason for a refusal. */
async function openSession(
  c: Context<AppEnv>,
  sent: Record<string, string>,
): Promise<{ cookie: string } | { problem: string }> {
  const given = Credentials.safeParse(sent);
  if (!given.success) return WRONG;
  const { email, password } = given.data;
  refuseWhileCrowded(c.env);
  const found = await beginSignIn(c.var.db, email, addressOf(c.req), knownBrowser(c));
  if (found.outcome === "limited") return tooManyAttempts(found.retry_after);
  const fits = await verifyPassword(password, found.password_hash, c.env);
  if (!fits || found.user === null || found.password_hash === null) return WRONG;
  const newHash = isOutdated(found.password_hash, c.env) ? await hashPassword(password, c.env) : undefined;
  const verified = { user: found.user, seenHash: found.password_hash, newHash, attempt: found.attempt };
  const { cookie, session } = newSessionOf(c);
  const signedIn = await signIn(c.var.db, verified, session);
  if (signedIn.outcome === "suspended")
    return { problem: `Your account is suspended. The reason: ${signedIn.reason}` };
  if (signedIn.outcome === "refused") return WRONG;
  rememberBrowser(c, found.user, newHash ?? found.password_hash);
  return { cookie };
}

/** Says the same whether or not the account exists. */
export const tooManyAttempts = (retryAfterS: number): never =>
  tooMany(`There were too many attempts. Wait ${inWords(retryAfterS)}, then try again.`, retryAfterS);

function inWords(seconds: number): string {
  if (seconds > 60) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds > 1 ? `${seconds} seconds` : "a second";
}

function showSignIn(c: Context<AppEnv>, next: string, state: FormState = EMPTY): Response {
  const notice = c.req.query("notice");
  return showCard(c, {
    title: "Sign in",
    status: state === EMPTY ? 200 : 422,
    formAction: formActionTo(c.env, next),
    body: (
      <>
        {isNotice(notice) && state === EMPTY && <Notice name={notice} />}
        <Form
          name="sign-in"
          action="/signin"
          token={formToken(c, "sign-in")}
          state={state}
          hidden={{ next }}
          leadsHome={leadsHome(next)}
          submit="Sign in"
        >
          <Field
            form="sign-in"
            name="email"
            label="E-mail address"
            type="email"
            autocomplete="username"
            state={state}
          />
          <Field
            form="sign-in"
            name="password"
            label="Password"
            type="password"
            autocomplete="current-password"
            state={state}
          />
        </Form>
        <p>
          <a href="/forgot">Forgotten your password?</a>
        </p>
      </>
    ),
    beside: <NewHere env={c.env} next={next} />,
  });
}

/** The way to an account, as far as there is one. */
const NewHere = ({ env, next }: { env: Env; next: string }) => {
  switch (registrationOf(env)) {
    case "closed":
      return <WhoMaySignUp env={env} />;
    case "invite":
      return (
        <>
          <WhoMaySignUp env={env} /> <a href={signUpPath(next)}>I have an invitation</a>
        </>
      );
    default:
      return (
        <>
          New here? <a href={signUpPath(next)}>Create an account</a>
        </>
      );
  }
};

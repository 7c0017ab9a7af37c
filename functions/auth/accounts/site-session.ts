import type { Context } from "hono";
import * as z from "zod";
import { endSiteSession, offerSiteCode, openSiteSession } from "../../../db/queries/site-sessions.ts";
import { issueAccessToken } from "../../lib/http/access-token.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { badRequest, forbidden, unauthorized } from "../../lib/http/errors.ts";
import { Routes } from "../../lib/http/route.ts";
import { hashSecret, newSecret } from "../../lib/security/random.ts";
import { siteSessionHash } from "../../ui/cookies.ts";
import { readOwnForm } from "../../ui/form-guard.ts";
import { askedNext, ownPath, signInPath, signUpPath } from "../../ui/next.ts";
import { seeOther, showError } from "../../ui/page.tsx";
import {
  clearSiteViewer,
  rememberEntry,
  setSiteOperator,
  setSiteViewer,
  siteViewer,
  takeEntry,
} from "../../ui/viewer.ts";
import { showSignedIn } from "./signed-in-page.tsx";

/** Seconds. The browser follows the redirect at once. */
const CODE_TTL_S = 60;

/** Seconds. Scripts fetch a new one before it ends. */
const SCRIPT_TOKEN_TTL_S = 600;

/** A refused step leads to a new sign-in. */
const beginAgain = (error: unknown, c: Context<AppEnv>): Response =>
  showError(error, c, { href: `${c.env.WEB_URL}/session/new`, words: "Sign in" });

/** {web_url}: the site's own session, opened by a code from {auth_url}. The hosts share no cookie. */
export const siteSession = new Routes({ renderError: beginAgain });

/** {auth_url}: issues the code to the signed-in user without consent, because the site is no third party. */
export const siteCode = new Routes({ renderError: beginAgain });

siteSession.page("/session/new", (c) => {
  const entry = {
    state: newSecret("ss"),
    verifier: newSecret("ss"),
    next: ownPath(askedNext(c.req.url), "/"),
  };
  rememberEntry(c, entry);
  const query = new URLSearchParams({ state: entry.state, challenge: hashSecret(entry.verifier) });
  if (c.req.query("sign_up") !== undefined) query.set("sign_up", "true");
  return redirectTo(c, `${c.env.AUTH_URL}/session/code?${query}`);
});

const CodeRequest = z.object({
  state: z.string().max(200),
  challenge: z.string().regex(/^[\w-]{43}$/),
  /** Set if a signed-out visitor wants an account. */
  sign_up: z.string().optional(),
  notice: z.literal("welcome").optional().catch(undefined),
});

siteCode.page("/session/code", async (c) => {
  const { data } = CodeRequest.safeParse(c.req.query());
  if (!data) return badRequest("state and challenge: begin at the site's own sign-in link");
  const { state, challenge, sign_up, notice } = data;
  const code = newSecret("ac");
  const session = siteSessionHash(c);
  const offered =
    session &&
    (await offerSiteCode(c.var.db, session, { codeHash: hashSecret(code), challenge }, CODE_TTL_S));
  if (!offered) {
    const back = `/session/code?${new URLSearchParams({ state, challenge })}`;
    return seeOther(c, sign_up === undefined ? signInPath(back) : signUpPath(back));
  }
  const query = new URLSearchParams({ state, code, ...(notice && { notice }) });
  return redirectTo(c, `${c.env.WEB_URL}/session/opened?${query}`);
});

siteSession.page("/session/opened", async (c) => {
  const { state = "", code = "", notice } = c.req.query();
  const entry = takeEntry(c, state);
  // Another browser's code would sign this one in as somebody else. A code without a verifier is only used up.
  const opened = await openSiteSession(c.var.db, {
    codeHash: hashSecret(code),
    challenge: entry ? hashSecret(entry.verifier) : "",
  });
  if (!entry) return forbidden("This browser did not begin this sign-in; sign in again");
  if (!opened) return forbidden("The sign-in has expired or was already used; sign in again");
  setSiteViewer(c, opened.session, opened.user);
  if (opened.operator) setSiteOperator(c, opened.user);
  return seeOther(c, notice === "welcome" ? withNotice(entry.next, notice) : entry.next);
});

/** Ends a sign-in in a window of its own: its script tells the page that waits, and closes the window. */
siteSession.page("/session/in", showSignedIn);

siteSession.form("/session/end", async (c) => {
  await readOwnForm(c, "end session");
  const viewer = siteViewer(c);
  if (viewer) await endSiteSession(c.var.db, viewer);
  clearSiteViewer(c);
  return seeOther(c, "/");
});

/** Gives the site's own scripts a short-lived token of the reader. Other origins cannot read it. */
siteSession.page("/session/token", async (c) => {
  const viewer = siteViewer(c);
  const site = c.req.header("Sec-Fetch-Site");
  if (!viewer || (site !== undefined && site !== "same-origin")) return unauthorized("Sign in first", false);
  const token = await issueAccessToken(c.env, viewer, "", SCRIPT_TOKEN_TTL_S);
  return c.json({ access_token: token, expires_in: SCRIPT_TOKEN_TTL_S, user_id: viewer.userId }, 200, {
    "Cache-Control": "no-store",
  });
});

function withNotice(path: string, notice: string): string {
  const { pathname, search, hash } = new URL(path, "http://nowhere.invalid");
  return `${pathname}${search}${search ? "&" : "?"}${new URLSearchParams({ notice })}${hash}`;
}

/** `no-store`, because the URL holds a code. */
function redirectTo(c: Context<AppEnv>, url: string): Response {
  c.header("Cache-Control", "no-store");
  return c.redirect(url, 303);
}

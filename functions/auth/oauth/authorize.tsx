import type { Context } from "hono";
import {
  type AuthorizingApp,
  type AuthorizingUser,
  decideAuthorization,
  findAuthorization,
} from "../../../db/queries/authorize.ts";
import { HttpError } from "../../lib/errors/http-error.ts";
import { ACCESS_TOKEN_TTL_S, checkJwtKeys, issueAccessToken } from "../../lib/http/access-token.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { badRequest, forbidden } from "../../lib/http/errors.ts";
import { Routes } from "../../lib/http/route.ts";
import { covers } from "../../lib/http/scopes.ts";
import { hashSecret, newSecret } from "../../lib/security/random.ts";
import { formActionFor, withoutPort } from "../../lib/security/redirect-match.ts";
import { siteSessionHash } from "../../ui/cookies.ts";
import { formToken, readOwnForm } from "../../ui/form-guard.ts";
import { signInPath } from "../../ui/next.ts";
import { sendPage } from "../../ui/policy.ts";
import { checkRequest, clientIdOf, isPopup, redirectUriOf, unknownClient } from "./authorize-request.ts";
import { type AuthorizeRequest, CURRENT_RULES, type Rules } from "./authorize-rules.ts";
import { renderBrowserError } from "./browser-error.tsx";
import { ConsentPage } from "./consent.tsx";
import { AuthorizeQuery } from "./input.ts";
import { AUTHORIZATION_CODE_TTL_S } from "./lifetimes.ts";
import { RedirectedError, RefusedRequest, redirectBack } from "./redirect-reply.ts";

/** {auth_url} */
export const authorize = new Routes({ renderError: renderBrowserError });

authorize.get(
  "/authorize",
  {
    operationId: "authorize",
    summary: "Ask a user to allow an app",
    description:
      "Opened in the user's browser, never fetched. After approval the browser goes to `redirect_uri` with `code`, `state` and `iss` (RFC 9207); the code lives for a minute and is exchanged once at `/oauth/token`. After a refusal it goes there with `error=access_denied`. A wrong request is a page that names the fault, with a link that takes `error` and `error_description` back to the app; nothing is redirected before the user has acted.",
    tag: "oauth",
    auth: "page",
    ownQuery: AuthorizeQuery,
    replies: { 200: "text/html", 303: "", 400: "text/html" },
    errors: {
      400: "A page: `client_id` or `redirect_uri` is not the app's own, PKCE is missing (`code_challenge`, `code_challenge_method=S256`), `response_type` is not `code`, or a parameter was sent twice.",
    },
  },
  (c) => askForConsent(c, CURRENT_RULES),
);
authorize.form("/authorize", (c) => takeDecision(c, CURRENT_RULES));
authorize.otherwise("/authorize", refuseMethod);

export async function askForConsent(c: Context<AppEnv>, rules: Rules): Promise<Response> {
  // The router answers HEAD with GET, but HEAD must never yield a code.
  if (c.req.method !== "GET") return refuseMethod(c);
  const query = queryOf(c);
  const clientId = clientIdOf(query);
  const { app, user } = await findAuthorization(c.var.db, clientId, siteSessionHash(c));
  if (!app) return unknownClient();
  // RFC 9700 §2.1.1: nothing else protects the code of a public client.
  if (app.client_type === "public" && !rules.pkceRequired)
    return badRequest("client_id: a public app signs users in at /authorize, with PKCE");
  const redirectUri = redirectUriOf(query, app.redirect_uris);
  const request = checkRequest(query, { clientId, redirectUri }, rules);
  if (!user) return toSignIn(c, query);
  if (user.disabled) throw new RefusedRequest(request, "access_denied", "this account is disabled");
  if (needsNoConsent(app, user, request)) return approve(c, request, newSecret("ac"));
  return showConsent(c, query, request, { app, user });
}

function showConsent(
  c: Context<AppEnv>,
  query: URLSearchParams,
  request: AuthorizeRequest,
  { app, user }: { app: AuthorizingApp; user: AuthorizingUser },
): Response {
  const page = (
    <ConsentPage
      env={c.env}
      app={app}
      user={user}
      scope={request.scope}
      redirectUri={request.redirectUri}
      action={`?${query}`}
      formToken={formToken(c, subjectOf(c, query))}
      signOut={{ formToken: formToken(c, "sign-out"), next: subjectOf(c, query) }}
      popup={isPopup(query)}
    />
  );
  const formAction = `'self' ${formActionFor(request.redirectUri)}`;
  return sendPage(c, page, { cacheControl: "no-store", formAction, keepsOpener: true, hasSearch: false });
}

/** The form is bound to the whole request, validated when it was shown. SQL checks what may have changed since. */
export async function takeDecision(c: Context<AppEnv>, rules: Rules): Promise<Response> {
  const query = queryOf(c);
  const { decision, form_token = "" } = await readOwnForm(c, subjectOf(c, query));
  const clientId = clientIdOf(query);
  const redirectUri = query.get("redirect_uri") ?? "";
  const request = checkRequest(query, { clientId, redirectUri }, rules);
  if (decision === "approve") return approve(c, request, form_token);
  return decision === "deny" ? deny(c, request) : badRequest("decision: approve or deny");
}

async function approve(c: Context<AppEnv>, request: AuthorizeRequest, form: string): Promise<Response> {
  await checkJwtKeys(c.env);
  const code = newSecret("ac");
  const found = await settle(c, request, { approved: true, code, form });
  if (found.outcome !== "approved") throw denied(c, request);
  const { clientId, scope, responseType } = request;
  const query: Record<string, string> = responseType === "token" ? {} : { code };
  if (found.session === null) return redirectBack(c, request, query);
  const viewer = { sessionId: found.session, clientId, userId: found.user };
  const access_token = await issueAccessToken(c.env, viewer, scope);
  return redirectBack(c, request, query, { access_token, expires_in: String(ACCESS_TOKEN_TTL_S), scope });
}

async function deny(c: Context<AppEnv>, request: AuthorizeRequest): Promise<never> {
  await settle(c, request, { approved: false, code: "", form: "" });
  throw denied(c, request);
}

/** Grants or denies in one statement. Other outcomes throw. */
async function settle(
  c: Context<AppEnv>,
  request: AuthorizeRequest,
  { approved, code, form }: { approved: boolean; code: string; form: string },
) {
  const { clientId, redirectUri, codeChallenge, scope, responseType } = request;
  const found = await decideAuthorization(c.var.db, {
    clientId,
    redirectUri,
    codeChallenge,
    scope,
    approved,
    siteSessionHash: siteSessionHash(c) ?? "",
    registrations: [withoutPort(redirectUri)],
    nonce: hashSecret(form),
    codeHash: hashSecret(code),
    codeTtlS: AUTHORIZATION_CODE_TTL_S,
    tokenTtlS: responseType === "code" ? null : ACCESS_TOKEN_TTL_S,
    wantsCode: responseType !== "token",
  });
  if (found.outcome === "unknown_app") return unknownClient();
  if (found.outcome === "signed_out")
    return forbidden("You have signed out in the meantime; sign in and start again");
  if (found.outcome === "replayed") return forbidden("This form was already sent; start again in the app");
  return found;
}

/**
 * Only our own apps, over https, with no more than was granted before. RFC 9700 §4.11 requires a user's action before other
 * redirects.
 */
const needsNoConsent = (app: AuthorizingApp, user: AuthorizingUser, request: AuthorizeRequest): boolean =>
  app.first_party &&
  user.consented_scope !== null &&
  covers(user.consented_scope, request.scope) &&
  request.responseType === "code" &&
  request.redirectUri.startsWith("https:");

/** Only submitting a form is the user's act: a link from anywhere can open a page. */
const denied = (c: Context<AppEnv>, request: AuthorizeRequest) => {
  const Refusal = c.req.method === "POST" ? RedirectedError : RefusedRequest;
  return new Refusal(request, "access_denied", "the user did not allow it");
};

const queryOf = (c: Context<AppEnv>) => new URL(c.req.url).searchParams;

const subjectOf = (c: Context<AppEnv>, query: URLSearchParams) => `${c.req.path}?${query}`;

function toSignIn(c: Context<AppEnv>, query: URLSearchParams): Response {
  c.header("Cache-Control", "no-store");
  return c.redirect(c.env.AUTH_URL + signInPath(`${c.req.path}?${query}`), 303);
}

export function refuseMethod(c: Context<AppEnv>): never {
  throw new HttpError(405, [`${c.req.method} is not allowed here`], { Allow: "GET, POST" });
}

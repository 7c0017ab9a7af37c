import * as z from "zod";
import { databaseFault } from "../../../db/faults.ts";
import { endSession, introspectToken, type NamedToken, revokeToken } from "../../../db/queries/oauth.ts";
import { HttpError } from "../../lib/errors/http-error.ts";
import { checkJwtKeys, verifyAccessToken } from "../../lib/http/access-token.ts";
import { readBody } from "../../lib/http/body/read.ts";
import type { Env } from "../../lib/http/env.ts";
import { ErrorBody } from "../../lib/http/errors.ts";
import { Routes } from "../../lib/http/route.ts";
import { BrokenSecret } from "../../lib/security/broken-secret.ts";
import { hashSecret } from "../../lib/security/random.ts";
import { about } from "../../lib/text/fields.ts";
import { clientCredentials } from "./client-auth.ts";
import { OAuthError, OAuthErrorBody } from "./errors.ts";
import { readForm, required } from "./form.ts";
import { type Grant, grants } from "./grants.ts";
import { SignOutBody, TokenForm, TokenRequest } from "./input.ts";
import { Introspection, introspection } from "./introspection.ts";
import { REFRESH_KEY } from "./repeated-refresh.ts";
import { NO_STORE, refuseClient, TokenReply } from "./token-reply.ts";

/** {auth_url}. Endpoints that clients call; pages for browsers are in `authorize.tsx` and `accounts`. */
export const oauth = new Routes();

const FAILURES = {
  400: OAuthErrorBody,
  401: OAuthErrorBody,
  405: OAuthErrorBody,
  413: OAuthErrorBody,
  429: OAuthErrorBody,
  500: OAuthErrorBody,
  503: OAuthErrorBody,
  504: OAuthErrorBody,
};

oauth.post(
  "/oauth/token",
  {
    operationId: "createToken",
    summary: "Exchange a grant for tokens",
    description:
      "`authorization_code`: a user's token, from the `code` that `/authorize` returned, with its `code_verifier`. `refresh_token`: a new pair; the old refresh token ends. `client_credentials`: an app's own token for public resources, with `Authorization: Basic` only, 50 in 12 hours an app and 30 an hour an address. A public app sends `client_id` without a secret, and has no token of its own.",
    tag: "oauth",
    auth: "page",
    clientAuth: true,
    ownBody: { schema: TokenRequest, type: "form" },
    ownHeaders: REFRESH_KEY,
    replies: { 200: TokenReply, ...FAILURES },
  },
  async (c) => {
    const arrivedAt = new Date();
    const sent = await readForm(c);
    const grant = grantNamed(required(sent, "grant_type"));
    await withOAuthErrors(checkJwtKeys(c.env));
    return c.json(await withOAuthErrors(grant(c, sent, arrivedAt)), 200, NO_STORE);
  },
);

oauth.post(
  "/oauth/revoke",
  {
    operationId: "revokeToken",
    summary: "Revoke a token (RFC 7009)",
    description: "An unknown token is 200 too, as the RFC asks. Public apps send `client_id` alone.",
    tag: "oauth",
    auth: "page",
    clientAuth: true,
    ownBody: { schema: TokenForm, type: "form" },
    replies: { 200: z.strictObject({}).meta({ id: "Revoked" }), ...FAILURES },
  },
  async (c) => {
    const sent = await readForm(c);
    const client = clientCredentials(c, sent, "basic", "body", "none");
    const token = await withOAuthErrors(identifyToken(required(sent, "token"), c.env, client.clientId));
    refuseClient(await withOAuthErrors(revokeToken(c.var.db, client, token)), client);
    return c.json({}, 200, NO_STORE);
  },
);

oauth.post(
  "/oauth/introspect",
  {
    operationId: "introspectToken",
    summary: "Introspect a token (RFC 7662)",
    description:
      "Tells about tokens of your own client only; for others `active` is false. Needs a secret, so public apps cannot ask.",
    tag: "oauth",
    auth: "page",
    clientAuth: true,
    ownBody: { schema: TokenForm, type: "form" },
    replies: { 200: Introspection, ...FAILURES },
  },
  async (c) => {
    const sent = await readForm(c);
    const client = clientCredentials(c, sent, "basic", "body");
    const text = required(sent, "token");
    const token = await withOAuthErrors(identifyToken(text, c.env, client.clientId));
    const found = await withOAuthErrors(introspectToken(c.var.db, client, token));
    refuseClient(found, client);
    return c.json(introspection(found.live, text, client.clientId, c.env), 200, NO_STORE);
  },
);

const SessionError = z
  .strictObject({
    error: z
      .enum(["bad_request", "unauthorized"])
      .meta(
        about("`bad_request`: no token was sent. `unauthorized`: its session has ended.", "unauthorized"),
      ),
  })
  .meta({ id: "SessionError" });

/** Follows the specification's own contract, which is older than the others here. */
oauth.post(
  "/sign-out",
  {
    operationId: "signOut",
    summary: "End a token's session",
    description:
      "Access token and refresh token of the session end at once. Any page may call this: it takes no cookie.",
    tag: "oauth",
    auth: "page",
    ownBody: { schema: SignOutBody, type: "json" },
    replies: {
      200: z.strictObject({}).meta({ id: "SignedOut" }),
      400: SessionError,
      401: SessionError,
      503: ErrorBody,
      504: ErrorBody,
    },
    errors: {
      400: "`bad_request`: the body is not JSON, or holds no `access_token`.",
      401: "`unauthorized`: the token is not valid, or its session had ended before.",
    },
  },
  async (c) => {
    const token = await accessTokenOf(c);
    if (!token) return c.json({ error: "bad_request" }, 400, NO_STORE);
    const session = await verifyAccessToken(token, c.env);
    const ended = session && (await endSession(c.var.db, session));
    return ended ? c.json({}, 200, NO_STORE) : c.json({ error: "unauthorized" }, 401, NO_STORE);
  },
);

function grantNamed(name: string): Grant {
  const grant = Object.hasOwn(grants, name) ? grants[name] : undefined;
  if (grant) return grant;
  throw new OAuthError(
    "unsupported_grant_type",
    "grant_type must be authorization_code (with PKCE, for a user), refresh_token or client_credentials (for public resources)",
  );
}

async function accessTokenOf(c: Parameters<typeof readBody>[0]): Promise<string | undefined> {
  try {
    const sent = (await readBody(c, ["json"])) as { access_token?: unknown } | null;
    const token = sent?.access_token;
    return typeof token === "string" && token !== "" ? token : undefined;
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

/** Names a refresh token by its hash, and an access token by its session if the client owns it. */
async function identifyToken(token: string, env: Env, clientId: string): Promise<NamedToken> {
  const viewer = await verifyAccessToken(token, env);
  if (!viewer) return { refreshHash: hashSecret(token), sessionId: null };
  return { refreshHash: null, sessionId: viewer.clientId === clientId ? viewer.sessionId : 0 };
}

/**
 * Converts failures of the service to OAuth's format. They must not look like refusals, after which clients
 * discard their tokens.
 */
async function withOAuthErrors<Result>(asked: Promise<Result>): Promise<Result> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof BrokenSecret)
      throw new OAuthError("temporarily_unavailable", error.causes[0] ?? "", { headers: error.headers });
    const kind = databaseFault(error)?.kind;
    if (!kind || kind === "other" || kind === "bad_text") throw error;
    if (kind === "lost" || kind === "timeout") throw databaseTimeout();
    throw new OAuthError("temporarily_unavailable", "the database is unavailable; try again", {
      headers: { "Retry-After": "5" },
    });
  }
}

/** The token may have been used up. */
function databaseTimeout(): HttpError {
  const description = "the database did not answer in time; the request may have been processed";
  const error = new HttpError(504, [description]);
  error.fields = { error: "temporarily_unavailable", error_description: description };
  return error;
}

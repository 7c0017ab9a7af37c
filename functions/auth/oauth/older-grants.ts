import type { Context } from "hono";
import { beginPasswordGrant, grantByPassword } from "../../../db/queries/authorize.ts";
import {
  exchangeCode,
  grantClientCredentials,
  type Issued,
  type NewTokens,
  refreshSession,
} from "../../../db/queries/oauth.ts";
import { ACCESS_TOKEN_TTL_S, issueAccessToken } from "../../lib/http/access-token.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { MAX_PASSWORD_BYTES, refuseWhileCrowded, verifyPassword } from "../../lib/security/password.ts";
import { hashSecret, newSecret } from "../../lib/security/random.ts";
import { clientCredentials } from "./client-auth.ts";
import { OAuthError } from "./errors.ts";
import { type Parameters, required } from "./form.ts";
import { invalidGrant, RefreshRefused, unexpectedVerifier } from "./invalid-grant.ts";
import { REFRESH_TOKEN_TTL_S } from "./lifetimes.ts";
import { parseOlderScope } from "./older-only.ts";
import { challengeOf } from "./pkce.ts";
import { useOnce } from "./races.ts";
import { refuseClient, tooManyTokens } from "./token-reply.ts";

interface OlderTokens {
  access_token: string;
  scope: string;
  expires_in?: number;
  refresh_token?: string;
}

type OlderGrant = (c: Context<AppEnv>, form: Parameters, arrivedAt: Date) => Promise<OlderTokens>;

const authorizationCode: OlderGrant = async (c, form, arrivedAt) => {
  const client = clientCredentials(c, form, "body");
  const hash = hashSecret(required(form, "code"));
  const redirectUri = form.redirect_uri ?? "";
  const challenge = challengeOf(form.code_verifier);
  const { found } = await useOnce(hash, arrivedAt, (use) => {
    const sent = { hash, redirectUri, challenge, arrivedAt: use.arrivedAt };
    return exchangeCode(c.var.db, client, shortSession(use.refreshToken), sent);
  });
  refuseClient(found, client);
  if (found.outcome === "unexpected_verifier") throw unexpectedVerifier();
  if (found.outcome !== "issued") throw invalidGrant(found);
  return olderTokens(c, client.clientId, found);
};

/** The only older grant that returns a refresh token. */
const refresh: OlderGrant = async (c, form, arrivedAt) => {
  const client = clientCredentials(c, form, "body");
  scopeOf(form);
  const old = { hash: hashSecret(required(form, "refresh_token")), scope: undefined };
  const { found, refreshToken } = await useOnce(old.hash, arrivedAt, (use) => {
    const tokens = { ...shortSession(use.refreshToken), refreshTtlS: REFRESH_TOKEN_TTL_S };
    return refreshSession(c.var.db, client, tokens, { ...old, arrivedAt: use.arrivedAt });
  });
  refuseClient(found, client);
  if (found.outcome !== "issued")
    throw new RefreshRefused(found.outcome === "invalid_grant" ? found : { why: "unknown_token" });
  const issued = await olderTokens(c, client.clientId, found);
  return { ...issued, expires_in: ACCESS_TOKEN_TTL_S, refresh_token: refreshToken };
};

/** Shares its budget with the current endpoint. */
const clientCredentialsGrant: OlderGrant = async (c, form) => {
  const client = clientCredentials(c, form, "body");
  const found = await grantClientCredentials(c.var.db, client, shortSession(), scopeOf(form));
  refuseClient(found, client);
  if (found.outcome === "too_many_tokens") throw tooManyTokens(found);
  return olderTokens(c, client.clientId, found);
};

/**
 * Runs two statements, because the password is hashed between them. The first counts the attempt and returns
 * the stored hash; the second grants.
 */
const password: OlderGrant = async (c, form) => {
  const client = clientCredentials(c, form, "body");
  const login = required(form, "username").trim();
  const given = required(form, "password");
  const scope = scopeOf(form);
  if (!/^[^\p{Cc}]{1,254}$/u.test(login) || Buffer.byteLength(given) > MAX_PASSWORD_BYTES)
    throw wrongPassword();
  refuseWhileCrowded(c.env);
  const found = await beginPasswordGrant(c.var.db, client, login);
  refuseClient(found, client);
  const { user, password_hash: seenHash, attempt } = found;
  const fits = await verifyPassword(given, seenHash, c.env);
  if (!fits || user === null || seenHash === null) throw wrongPassword();
  const lifetime = { scope, ttlS: ACCESS_TOKEN_TTL_S };
  const granted = await grantByPassword(c.var.db, client.clientId, { user, seenHash, attempt }, lifetime);
  if (granted.outcome !== "issued") throw wrongPassword();
  return olderTokens(c, client.clientId, granted);
};

export const olderGrants: Record<string, OlderGrant> = {
  authorization_code: authorizationCode,
  refresh_token: refresh,
  password,
  client_credentials: clientCredentialsGrant,
};

const wrongPassword = () => new OAuthError("invalid_grant", "the username or the password is wrong");

/** The reply omits the refresh token, so nobody can use it. The session ends with the access token. */
const shortSession = (refreshToken = newSecret("rt")): NewTokens => ({
  refreshHash: hashSecret(refreshToken),
  sessionTtlS: ACCESS_TOKEN_TTL_S,
  refreshTtlS: ACCESS_TOKEN_TTL_S,
});

function scopeOf(form: Parameters): string {
  const scope = parseOlderScope(form.scope ?? "");
  if (scope === undefined) throw new OAuthError("invalid_scope", "there is no such scope");
  return scope;
}

/** A code of `/authorize` may be exchanged here, and keeps its limits. */
async function olderTokens(c: Context<AppEnv>, clientId: string, issued: Issued): Promise<OlderTokens> {
  c.set("usingClient", clientId);
  const viewer = { sessionId: issued.session, clientId, userId: issued.user };
  const scope = issued.scope || "*";
  return { access_token: await issueAccessToken(c.env, viewer, scope), scope };
}

import type { Context } from "hono";
import {
  exchangeCode,
  grantClientCredentials,
  type InvalidGrant,
  refreshSession,
} from "../../../db/queries/oauth.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { logLine } from "../../lib/http/log.ts";
import { parseScope } from "../../lib/http/scopes.ts";
import { countEvent } from "../../lib/http/tally.ts";
import { hashSecret, newSecret } from "../../lib/security/random.ts";
import { clientCredentials } from "./client-auth.ts";
import { OAuthError } from "./errors.ts";
import { type Parameters, required } from "./form.ts";
import { invalidGrant, unexpectedVerifier } from "./invalid-grant.ts";
import { APP_SESSION_TTL_S, REFRESH_TOKEN_TTL_S, SESSION_TTL_S } from "./lifetimes.ts";
import { challengeOf } from "./pkce.ts";
import { useOnce } from "./races.ts";
import { RepeatableRefresh } from "./repeated-refresh.ts";
import { issueTokens, refuseClient, tooManyTokens } from "./token-reply.ts";

export type Grant = (c: Context<AppEnv>, form: Parameters, arrivedAt: Date) => ReturnType<typeof issueTokens>;

const tokensOf = ({ refreshToken }: { refreshToken: string }) => ({
  refreshHash: hashSecret(refreshToken),
  sessionTtlS: SESSION_TTL_S,
  refreshTtlS: REFRESH_TOKEN_TTL_S,
});

/** RFC 6749 §4.1.3. Five wrong verifiers invalidate the code. */
const authorizationCode: Grant = async (c, form, arrivedAt) => {
  const client = clientCredentials(c, form, "basic", "body", "none");
  const code = required(form, "code");
  const redirectUri = form.redirect_uri ?? "";
  const challenge = challengeOf(form.code_verifier);
  const sent = { hash: hashSecret(code), redirectUri, challenge };
  const { found, refreshToken } = await useOnce(sent.hash, arrivedAt, (use) =>
    exchangeCode(c.var.db, client, tokensOf(use), { ...sent, arrivedAt: use.arrivedAt }),
  );
  refuseClient(found, client);
  if (found.outcome === "unexpected_verifier") throw unexpectedVerifier();
  if (found.outcome !== "issued") throw refused("code", found, client.clientId);
  return issueTokens(c, client.clientId, found, refreshToken);
};

/** RFC 6749 §6, with rotation. */
const refresh: Grant = async (c, form, arrivedAt) => {
  const client = clientCredentials(c, form, "basic", "body", "none");
  const old = { hash: hashSecret(required(form, "refresh_token")), scope: narrowedScope(form.scope) };
  const sent = c.req.header("Idempotency-Key");
  const repeatable = sent === undefined ? undefined : new RepeatableRefresh(c, sent, client.clientId, old);
  const { found, refreshToken } = await useOnce(old.hash, arrivedAt, (use) =>
    refreshSession(
      c.var.db,
      client,
      tokensOf(use),
      { ...old, arrivedAt: use.arrivedAt },
      repeatable?.firstReply(use.refreshToken),
    ),
  );
  refuseClient(found, client);
  if (found.outcome === "invalid_scope") throw exceedsGrant();
  if (found.outcome !== "issued") throw refused("refresh token", found, client.clientId);
  if (found.first_reply !== undefined)
    return (await repeatable?.repeat(client.clientId, found, found.first_reply)) ?? unreadable();
  const tokens = await issueTokens(c, client.clientId, found, refreshToken);
  await repeatable?.keep(tokens);
  return tokens;
};

/** `undefined` keeps the session's. */
function narrowedScope(asked: string | undefined): string | undefined {
  if (asked === undefined) return undefined;
  const scope = parseScope(asked);
  if (scope === undefined) throw exceedsGrant();
  return scope;
}

const exceedsGrant = () =>
  new OAuthError("invalid_scope", "the scope exceeds the granted one; leave scope out");

/** The key that encrypted the token was replaced. */
const unreadable = (): never => {
  throw invalidGrant({ why: "used_token" });
};

/**
 * RFC 6749 §4.4. The client authenticates by the header only. The specification requires it, unlike OAuth
 * 2.1.
 */
const clientCredentialsGrant: Grant = async (c, form) => {
  const client = clientCredentials(c, form, "basic", "none");
  if (form.scope !== undefined)
    throw new OAuthError("invalid_scope", "an app's own token has no scope; leave scope out");
  const refreshToken = newSecret("rt");
  const tokens = {
    refreshHash: hashSecret(refreshToken),
    sessionTtlS: APP_SESSION_TTL_S,
    refreshTtlS: APP_SESSION_TTL_S,
  };
  const found = await grantClientCredentials(c.var.db, client, tokens, "");
  refuseClient(found, client);
  if (found.outcome === "too_many_tokens") throw tooManyTokens(found);
  return issueTokens(c, client.clientId, found, refreshToken);
};

export const grants: Record<string, Grant> = {
  authorization_code: authorizationCode,
  refresh_token: refresh,
  client_credentials: clientCredentialsGrant,
};

function refused(what: string, found: InvalidGrant, clientId: string): OAuthError {
  if (found.replay) {
    logLine("warn", "token_replayed", { what, app: clientId });
    countEvent("token_replayed");
  }
  return invalidGrant(found);
}

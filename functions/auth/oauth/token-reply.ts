import type { Context } from "hono";
import * as z from "zod";
import type { ClientRefusal, Issued, TooManyTokens } from "../../../db/queries/oauth.ts";
import { ACCESS_TOKEN_TTL_S, issueAccessToken } from "../../lib/http/access-token.ts";
import { ACCESS_TOKEN, REFRESH_TOKEN } from "../../lib/http/document/example-secrets.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { timestamp } from "../../lib/http/links.ts";
import { about } from "../../lib/text/fields.ts";
import { type ClientCredentials, refuseCredentials } from "./client-auth.ts";
import { OAuthError } from "./errors.ts";

export const TokenReply = z
  .strictObject({
    access_token: z
      .string()
      .meta(about("Send it as `Authorization: OAuth <ACCESS_TOKEN>` or `Bearer`.", ACCESS_TOKEN)),
    token_type: z.literal("Bearer").meta(about("`OAuth` works too.", "Bearer")),
    expires_in: z.int().meta(about("Seconds.", 3600)),
    refresh_token: z.string().meta(about("Single use.", REFRESH_TOKEN)),
    scope: z.string().meta(about("What the token may do. Empty: everything.", "read tracks")),
  })
  .meta({ id: "Token" });

/** RFC 6749 §5.1: never cached, with the full media type. */
export const NO_STORE = { "Cache-Control": "no-store", "Content-Type": "application/json; charset=utf-8" };

export async function issueTokens(
  c: Context<AppEnv>,
  clientId: string,
  issued: Issued,
  refreshToken: string,
) {
  const viewer = { sessionId: issued.session, clientId, userId: issued.user };
  return {
    access_token: await issueAccessToken(c.env, viewer, issued.scope),
    token_type: "Bearer" as const,
    expires_in: ACCESS_TOKEN_TTL_S,
    refresh_token: refreshToken,
    scope: issued.scope,
  };
}

/** Throws for outcomes that concern the client, and returns the others. */
export function refuseClient<Outcome extends { outcome: string }>(
  found: Outcome | ClientRefusal,
  client: ClientCredentials,
): asserts found is Outcome {
  if (found.outcome === "invalid_client") refuseCredentials(client);
  if (found.outcome === "unauthorized_client")
    throw new OAuthError("unauthorized_client", "a public app has no token of its own; let a user sign in");
  if (found.outcome === "limited" && "retry_after" in found) throw tooManyFailures(found);
}

interface Limit {
  max_nr_of_requests: number;
  time_window: string;
  seconds: number;
}

/** The limits of `authenticate_client`. */
const FAILURES = {
  "by-app-and-ip": { max_nr_of_requests: 10, time_window: "PT1M", seconds: 60 },
  "by-ip": { max_nr_of_requests: 60, time_window: "PT1M", seconds: 60 },
};

/** The limits of `client_credentials`. */
const TOKENS = {
  "by-app": { max_nr_of_requests: 50, time_window: "PT12H", seconds: 43_200 },
  "by-ip": { max_nr_of_requests: 30, time_window: "PT1H", seconds: 3_600 },
};

function tooManyFailures({
  bucket,
  retry_after,
}: Extract<ClientRefusal, { outcome: "limited" }>): OAuthError {
  const limit =
    bucket &&
    detailsOf("failed-client-authentications", bucket, FAILURES[bucket], {
      retry_after,
      reset_at: new Date(Date.now() + retry_after * 1_000),
    });
  return new OAuthError("rate_limit_exceeded", "too many failed attempts; wait, and check the secret", {
    headers: { "Retry-After": String(retry_after), ...limit?.headers },
    meta: limit?.meta,
  });
}

export function tooManyTokens({ bucket, ...wait }: TooManyTokens): OAuthError {
  return new OAuthError(
    "rate_limit_exceeded",
    "too many tokens from client credentials; reuse the one you have",
    detailsOf("client-credentials-exchange", bucket, TOKENS[bucket], wait),
  );
}

/** Headers and details of an exceeded limit. */
const detailsOf = (
  name: string,
  bucket: string,
  { seconds, ...limit }: Limit,
  { retry_after, reset_at }: { retry_after: number; reset_at: Date | string },
) => ({
  headers: {
    "Retry-After": String(retry_after),
    RateLimit: `"${bucket}";r=0;t=${retry_after}`,
    "RateLimit-Policy": `"${bucket}";q=${limit.max_nr_of_requests};w=${seconds}`,
  },
  meta: {
    rate_limit: { bucket, name, ...limit },
    remaining_requests: 0,
    reset_time: timestamp(reset_at),
  },
});

import type { Context } from "hono";
import * as z from "zod";
import type { ClientRefusal, Issued, TooManyTokens } from "../../db/queries/oauth.ts";
import type { AppEnv } from "../http/env.ts";
import { timestamp } from "../http/links.ts";
import { ACCESS_TOKEN_TTL_S, issueAccessToken } from "./access-token.ts";
import { invalidClient } from "./client-auth.ts";
import { OAuthError } from "./errors.ts";

export const TokenReply = z
  .strictObject({
    access_token: z.string(),
    token_type: z.literal("Bearer"),
    expires_in: z.int().describe("Seconds."),
    refresh_token: z.string().describe("Single use."),
    scope: z.string(),
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
): asserts found is Outcome {
  if (found.outcome === "invalid_client") throw invalidClient();
  if (found.outcome === "limited" && "retry_after" in found)
    throw new OAuthError("rate_limit_exceeded", "too many failed attempts; wait, and check the secret", {
      headers: { "Retry-After": String(found.retry_after) },
    });
}

const LIMITS = {
  "by-app": { max_nr_of_requests: 50, time_window: "PT12H", seconds: 43_200 },
  "by-ip": { max_nr_of_requests: 30, time_window: "PT1H", seconds: 3_600 },
};

export function tooManyTokens({ bucket, reset_at, retry_after }: TooManyTokens): OAuthError {
  const { seconds, ...limit } = LIMITS[bucket];
  const name = "client-credentials-exchange";
  const headers = {
    "Retry-After": String(retry_after),
    RateLimit: `"${bucket}";r=0;t=${retry_after}`,
    "RateLimit-Policy": `"${bucket}";q=${limit.max_nr_of_requests};w=${seconds}`,
  };
  return new OAuthError(
    "rate_limit_exceeded",
    "too many tokens from client credentials; reuse the one you have",
    {
      headers,
      meta: {
        rate_limit: { bucket, name, ...limit },
        remaining_requests: 0,
        reset_time: timestamp(reset_at),
      },
    },
  );
}

import * as oauth from "oauth4webapi";
import * as z from "zod";
import { bytea } from "../../../db/bytea.ts";
import type { Database } from "../../../db/client.ts";
import { type LeasedPosts, renewTokens } from "../../../db/queries/connection-posts.ts";
import type { Env } from "../../lib/http/env.ts";
import { seal, unsealBase64 } from "../../lib/security/sealing.ts";
import { Refused, refresh, type Tokens } from "./client.ts";
import { serviceNamed } from "./services.ts";

/** Milliseconds. Renews tokens that would expire while a request is running. */
const RENEWED_BEFORE_MS = 60_000;

/** The stored form, which is encrypted. */
const StoredTokens = z.object({
  access_token: z.string(),
  refresh_token: z.string().optional(),
  expires_at: z.number().optional(),
  /** The service that issued the tokens; its client can renew them. */
  client: z.string(),
});

export const sealTokens = (env: Pick<Env, "SEAL_KEYS">, tokens: Tokens, client: string): string =>
  bytea(seal(env, JSON.stringify({ ...tokens, client })));

/** Renews tokens that are about to expire. Saves them at once, since a refresh token may work only once. */
export async function goodTokens(
  db: Database,
  env: Env,
  connection: number,
  { tokens_sealed, leased_until }: LeasedPosts,
): Promise<Tokens> {
  const text = unsealBase64(env, tokens_sealed);
  if (text === undefined) throw new Refused();
  const { client, ...tokens } = StoredTokens.parse(JSON.parse(text));
  if (tokens.expires_at === undefined || tokens.expires_at > Date.now() + RENEWED_BEFORE_MS) return tokens;
  const renewed = await renew(env, client, tokens.refresh_token);
  await renewTokens(db, connection, leased_until, sealTokens(env, renewed, client));
  return renewed;
}

async function renew(env: Env, client: string, refreshToken: string | undefined): Promise<Tokens> {
  const service = serviceNamed(env, client);
  if (!service || refreshToken === undefined) throw new Refused();
  return refresh(service, refreshToken).catch((error: unknown) => {
    throw error instanceof oauth.ResponseBodyError && error.error === "invalid_grant" ? new Refused() : error;
  });
}

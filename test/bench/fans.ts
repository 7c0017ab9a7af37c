import { randomBytes } from "node:crypto";
import type pg from "pg";
import { issueAccessToken } from "../../functions/lib/http/access-token.ts";
import type { BenchStack } from "./stack.ts";

export interface Fan {
  userId: number;
  sessionId: number;
  token: string;
}

/** Inserts users with a session each. */
export async function fans(
  { secrets, urls }: Pick<BenchStack, "secrets" | "urls">,
  db: pg.Client,
  count: number,
): Promise<Fan[]> {
  const name = `v${randomBytes(6).toString("hex")}`;
  const clientId = randomBytes(16).toString("hex");
  const { rows } = await db.query<{ session: number; user: number }>(
    `with owner as (insert into users (username, permalink, plan) values ($1, $1, 'artist') returning id), app as (
       insert into apps (client_id, secret_hash, owner_id, name, permalink, redirect_uris)
       select $2, '', id, $1, $1, array['http://127.0.0.1/cb'] from owner returning id), fans as (
       insert into users (username, permalink) select $1 || n, $1 || n from generate_series(1, $3) n returning id)
     insert into sessions (app_id, user_id, scope, expires_at)
     select app.id, fans.id, '', now() + interval '1 day' from app, fans
     returning id::float8 as session, user_id::float8 as user`,
    [name, clientId, count],
  );
  const issuer = { JWT_KEYS: secrets.JWT_KEYS, AUTH_URL: urls.api, API_URL: urls.api };
  return Promise.all(
    rows.map(async ({ session: sessionId, user: userId }) => ({
      userId,
      sessionId,
      token: await issueAccessToken(issuer, { sessionId, clientId, userId }),
    })),
  );
}

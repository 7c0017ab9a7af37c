import type { Database } from "../../db/client.ts";
import {
  type LeasedPosts,
  leasePosts,
  type PostOutcome,
  settlePosts,
} from "../../db/queries/connection-posts.ts";
import type { Env } from "../http/env.ts";
import { describeError, logLine } from "../http/log.ts";
import { post } from "./post.ts";
import { Refused } from "./refused.ts";
import { serviceNamed } from "./services.ts";
import { goodTokens } from "./tokens.ts";

/** Five seconds for each at most, and as many to renew the token: over well before the lease is. */
const LEASE = { leaseS: 60, limit: 5 };

/** Half a minute, a minute, …: over two hours in all. */
const RETRIES = { waitS: 30, attempts: 9 };

/** Posts what is due at one connection, oldest first. Whoever comes meanwhile finds nothing to do. */
export async function postDue(db: Database, env: Env, connection: number): Promise<void> {
  const leased = await leasePosts(db, connection, LEASE);
  if (!leased) return;
  const outcomes: Record<number, PostOutcome> = {};
  let refused = false;
  try {
    await postEach(db, env, connection, leased, outcomes);
  } catch (error) {
    refused = error instanceof Refused;
    logLine("warn", "connection_post_failed", { connection, ...describeError(error) });
    for (const { id } of leased.posts) outcomes[id] ??= "again";
  }
  await settlePosts(db, { connection, leasedUntil: leased.leased_until, outcomes, refused }, RETRIES);
}

/** Where nothing can be posted, what was to be is done with. */
async function postEach(
  db: Database,
  env: Env,
  connection: number,
  leased: LeasedPosts,
  outcomes: Record<number, PostOutcome>,
): Promise<void> {
  const settings = serviceNamed(env, leased.service)?.post;
  const tokens = settings && leased.posts.length ? await goodTokens(db, env, connection, leased) : undefined;
  for (const due of leased.posts)
    outcomes[due.id] =
      settings && tokens ? await post(env, settings, tokens, leased.external_id, due) : "done";
}

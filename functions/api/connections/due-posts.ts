import type { Database } from "../../../db/client.ts";
import {
  type LeasedPosts,
  leasePosts,
  type PostOutcome,
  settlePosts,
} from "../../../db/queries/connection-posts.ts";
import type { Env } from "../../lib/http/env.ts";
import { describeError, logLine } from "../../lib/http/log.ts";
import { Refused } from "./client.ts";
import { post } from "./post.ts";
import { serviceNamed } from "./services.ts";
import { goodTokens } from "./tokens.ts";

/**
 * Each post takes five seconds at most, and renewing its token another five. All end well before the lease.
 */
const LEASE = { leaseS: 60, limit: 5 };

/** Half a minute, a minute, and so on: over two hours in total. */
const RETRIES = { waitS: 30, attempts: 9 };

/** Sends due posts of one connection, oldest first. Concurrent calls find nothing due. */
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

/** Ends all pending posts if the service does not accept posts. */
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
      settings && tokens ? await post(env, settings, tokens, leased.external_id, due) : "ended";
}

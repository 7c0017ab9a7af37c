import { openDatabase } from "../../db/client.ts";
import { dueConnections } from "../../db/queries/connection-posts.ts";
import type { Env } from "../../functions/http/env.ts";
import { requeueLost, sendDueJobs } from "../encoding/pool.ts";
import { resendDeadLetters } from "../queues/dead-letters.ts";
import { dispatchDueMails } from "../queues/mails.ts";
import { dispatchWebhooks } from "../queues/webhooks.ts";

/** Connections per run. The rest waits for the next, so that a long pause ends in no stampede. */
const BATCH = 50;

/**
 * Resends jobs whose message or transcoder was lost, so that every accepted upload is encoded. Sends connection posts,
 * mails and webhook deliveries that are due, and dead letters that an operator retries.
 */
export async function reconcile(env: Env): Promise<void> {
  const db = openDatabase(env);
  await requeueLost(db, env);
  await sendDueJobs(db, env);
  const connections = await dueConnections(db, BATCH);
  if (connections.length)
    await env.CONNECTION_POSTS.sendBatch(connections.map((connection) => ({ body: { connection } })));
  await dispatchDueMails(db, env);
  await dispatchWebhooks(db, env);
  await resendDeadLetters(db, env);
}

import { type Database, openDatabase } from "../../db/client.ts";
import { openStorage } from "../../db/objects/open.ts";
import { dueConnections } from "../../db/queries/connection-posts.ts";
import type { Env } from "../../functions/lib/http/env.ts";
import { requeueLost, sendDueJobs } from "../encoding/pool.ts";
import { resendDeadLetters } from "../queues/dead-letters.ts";
import { dispatchImports } from "../queues/imports.ts";
import { dispatchDueMails, queueNews } from "../queues/mails.ts";
import { dispatchWebhooks } from "../queues/webhooks.ts";
import { attempt } from "./attempts.ts";
import { measureStored } from "./measure.ts";
import { publishDue } from "./publications.ts";
import { expireUploads } from "./uploads.ts";

/** Connections per run. The rest waits for the next, so that a long pause ends in no stampede. */
const BATCH = 50;

/**
 * Resends jobs whose message or transcoder was lost, so that every accepted upload is encoded. Publishes what is due. Sends due
 * connection posts, mails, also about news, podcasts that move in and webhook deliveries, and dead letters that an operator retries.
 * Ends expired uploads, including
 * those of suspended users, and measures what was stored. A queue that accepts nothing delays no other duty.
 */
export async function reconcile(env: Env): Promise<void> {
  const db = openDatabase(env);
  await attempt("lost_jobs", () => requeueLost(db, env));
  await attempt("jobs", () => sendDueJobs(db, env));
  await attempt("publications", () => publishDue(db));
  await attempt("connection_posts", () => sendDuePosts(db, env));
  await attempt("news", () => queueNews(db, env));
  await attempt("mails", () => dispatchDueMails(db, env));
  await attempt("imports", () => dispatchImports(db, env));
  await attempt("webhooks", () => dispatchWebhooks(db, env));
  await attempt("dead_letters", () => resendDeadLetters(db, env));
  await attempt("uploads", () => expireUploads(db, openStorage(env).multipart));
  await attempt("stored_objects", () => measureStored(db, openStorage(env).objects));
}

async function sendDuePosts(db: Database, env: Env): Promise<void> {
  const due = await dueConnections(db, BATCH);
  if (due.length) await env.CONNECTION_POSTS.sendBatch(due.map((connection) => ({ body: { connection } })));
}

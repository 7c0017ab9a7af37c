import type { MessageBatch } from "@cloudflare/workers-types";
import * as z from "zod";
import { openDatabase } from "../../db/client.ts";
import { postDue } from "../../functions/connections/posting.ts";
import type { Env } from "../../functions/http/env.ts";
import { describeError, logLine } from "../../functions/http/log.ts";

const ConnectionPointer = z.object({ connection: z.int().positive() });

/** Seconds before a message that failed is retried. */
const RETRY_DELAY_S = 10;

/** Rows decide what is due and when, so a lost or repeated message changes nothing. */
export async function postToConnections(batch: MessageBatch<unknown>, env: Env): Promise<void> {
  const db = openDatabase(env);
  for (const message of batch.messages) {
    try {
      await postDue(db, env, ConnectionPointer.parse(message.body).connection);
      message.ack();
    } catch (error) {
      logLine("error", "connection_posts_failed", { message: message.id, ...describeError(error) });
      message.retry({ delaySeconds: RETRY_DELAY_S });
    }
  }
}

import type { MessageBatch } from "@cloudflare/workers-types";
import * as z from "zod";
import { openDatabase } from "../../db/client.ts";
import { postDue } from "../../functions/api/connections/due-posts.ts";
import type { Env } from "../../functions/lib/http/env.ts";
import { consumePointers } from "./pointers.ts";

const ConnectionPointer = z.object({ connection: z.int().positive() });

/** Rows decide what is due and when, so a lost or repeated message changes nothing. */
export async function postToConnections(batch: MessageBatch<unknown>, env: Env): Promise<void> {
  const db = openDatabase(env);
  const events = { malformed: "connection_message_malformed", failed: "connection_posts_failed" };
  await consumePointers(batch, ConnectionPointer, events, ({ connection }) => postDue(db, env, connection));
}

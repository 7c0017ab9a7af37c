import type { Message, MessageBatch } from "@cloudflare/workers-types";
import * as z from "zod";
import { type Database, openDatabase } from "../../db/client.ts";
import { SPOOLED_PLAYS } from "../../db/objects/keys.ts";
import type { ObjectStore } from "../../db/objects/port.ts";
import { countPlays, type Play } from "../../db/queries/plays.ts";
import type { Env } from "../../functions/lib/http/env.ts";
import { describeError, logLine } from "../../functions/lib/http/log.ts";

export const PlayMessage = z.object({
  track: z.int().positive(),
  mark: z.base64(),
  user: z.int().positive().nullable(),
  at: z.int().positive(),
  country: z.string().length(2).optional(),
  app: z.string().max(200).optional(),
  referrer: z.string().max(100).optional(),
  listener: z.int().min(0).max(0x3fff).optional(),
  quarter: z.int().min(1).max(4).optional(),
}) satisfies z.ZodType<Play>;

/** Seconds, doubled after each failure, up to an hour. */
const RETRY_DELAY_S = 30;
const MAX_RETRY_DELAY_S = 3600;

type Batch = Pick<MessageBatch<unknown>, "ackAll" | "retryAll"> & {
  messages: readonly Pick<Message<unknown>, "body" | "attempts">[];
};

/** Counts a batch in one statement. Redelivered plays count nothing. */
export async function countPlayed(batch: Batch, env: Env): Promise<void> {
  const read = batch.messages.map(({ body }) => PlayMessage.safeParse(body));
  const plays = read.flatMap(({ data }) => (data ? [data] : []));
  if (plays.length < read.length)
    logLine("error", "play_messages_malformed", { messages: read.length - plays.length });
  try {
    if (plays.length) await countPlays(openDatabase(env), plays);
    batch.ackAll();
  } catch (error) {
    const attempts = Math.max(...batch.messages.map((message) => message.attempts));
    logLine("error", "plays_not_counted", { plays: plays.length, attempts, ...describeError(error) });
    const delaySeconds = Math.min(RETRY_DELAY_S * 2 ** (attempts - 1), MAX_RETRY_DELAY_S);
    batch.retryAll({ delaySeconds });
  }
}

/** Objects counted per run. The rest waits for the next. */
const SPOOLED_PER_RUN = 100;
/** Plays per statement. */
const BATCH = 500;

/** Counts plays that no queue took. A play that was counted before counts nothing, so an object may come twice. */
export async function countSpooled(db: Database, objects: ObjectStore): Promise<number> {
  const keys = await objects.list("uploads", SPOOLED_PLAYS);
  for (const key of keys.slice(0, SPOOLED_PER_RUN)) {
    const plays = await readSpooled(objects, key);
    for (let from = 0; from < plays.length; from += BATCH)
      await countPlays(db, plays.slice(from, from + BATCH));
    await objects.deletePrefix("uploads", key);
  }
  return keys.length;
}

const Spooled = z.array(PlayMessage);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readSpooled(objects: ObjectStore, key: string): Promise<Play[]> {
  const stored = await objects.get("uploads", key);
  if (!stored) return [];
  // A body that breaks off throws here, so that the object stays for the next sweep.
  const text = await new Response(stored.body).text();
  const read = Spooled.safeParse(parseJson(text));
  if (!read.success) logLine("error", "spooled_plays_malformed", { key });
  return read.data ?? [];
}

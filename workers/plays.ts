import type { Message, MessageBatch } from "@cloudflare/workers-types";
import * as z from "zod";
import { openDatabase } from "../db/client.ts";
import { countPlays, type Play } from "../db/queries/plays.ts";
import type { Env } from "../functions/http/env.ts";
import { describeError, logLine } from "../functions/http/log.ts";

export const PlayMessage = z.object({
  track: z.int().positive(),
  mark: z.base64(),
  user: z.int().positive().nullable(),
  at: z.int().positive(),
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

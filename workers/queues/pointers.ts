import type { Message, MessageBatch, Queue } from "@cloudflare/workers-types";
import type * as z from "zod";
import { describeError, logLine } from "../../functions/lib/http/log.ts";

/** Seconds before a message that failed is retried. */
export const RETRY_DELAY_S = 10;

/** Seconds between crons. */
const CRON_S = 60;

/** Names of log lines. */
interface Events {
  malformed: string;
  failed: string;
}

/**
 * Handles messages that point at rows in parallel, so that a slow receiver delays no other. A failed attempt is
 * acknowledged, because its row schedules the next. Only a message whose handler threw is retried.
 */
export async function consumePointers<Pointer extends object>(
  batch: MessageBatch<unknown>,
  schema: z.ZodType<Pointer>,
  events: Events,
  handle: (pointer: Pointer) => Promise<void>,
): Promise<void> {
  await Promise.all(
    batch.messages.map(async (message) => {
      const pointer = readPointer(message, schema, events.malformed);
      if (!pointer) return;
      try {
        await handle(pointer);
        message.ack();
      } catch (error) {
        logLine("error", events.failed, { ...pointer, attempt: message.attempts, ...describeError(error) });
        message.retry({ delaySeconds: RETRY_DELAY_S });
      }
    }),
  );
}

/** Returns the pointer, or acknowledges a malformed message, which no retry can mend. */
export function readPointer<Pointer>(
  message: Message<unknown>,
  schema: z.ZodType<Pointer>,
  malformed: string,
): Pointer | undefined {
  const { data } = schema.safeParse(message.body);
  if (data !== undefined) return data;
  logLine("error", malformed, { message: message.id });
  message.ack();
  return undefined;
}

/** Sends a pointer for a retry that is due before the next cron, which sends later ones. */
export async function sendEarlyRetry<Pointer>(
  queue: Queue<Pointer>,
  pointer: Pointer,
  waitS: number | null | undefined,
): Promise<void> {
  if (typeof waitS === "number" && waitS < CRON_S)
    await queue.send(pointer, { delaySeconds: Math.ceil(waitS) });
}

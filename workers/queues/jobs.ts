import type { MessageBatch } from "@cloudflare/workers-types";
import * as z from "zod";
import { openDatabase } from "../../db/client.ts";
import type { Env } from "../../functions/lib/http/env.ts";
import { describeError, logLine } from "../../functions/lib/http/log.ts";
import { fillPool } from "../encoding/pool.ts";
import { RETRY_DELAY_S, readPointer } from "./pointers.ts";

export const JobPointer = z.object({ track: z.int().positive(), generation: z.int().positive() });

/**
 * Starts encodes. A message only says that a job waits; the rest follows from leases, heartbeats and the ends of
 * other jobs.
 */
export async function startJobs(batch: MessageBatch<unknown>, env: Env): Promise<void> {
  const pointers = batch.messages.flatMap((message) => {
    const pointer = readPointer(message, JobPointer, "job_message_malformed");
    return pointer ? [{ message, pointer }] : [];
  });
  if (!pointers.length) return;
  try {
    await fillPool(
      openDatabase(env),
      env,
      pointers.map(({ pointer }) => pointer),
    );
    for (const { message } of pointers) message.ack();
  } catch (error) {
    logLine("error", "jobs_not_started", { jobs: pointers.length, ...describeError(error) });
    for (const { message } of pointers) message.retry({ delaySeconds: RETRY_DELAY_S });
  }
}

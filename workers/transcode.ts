import type { Message, MessageBatch } from "@cloudflare/workers-types";
import * as z from "zod";
import { type Database, openDatabase } from "../db/client.ts";
import { type JobPointerRow, type LeasedJob, leaseJob, parkJob, releaseJob } from "../db/queries/jobs.ts";
import type { Env } from "../functions/http/env.ts";
import { describeError, logLine } from "../functions/http/log.ts";
import { askTranscoder } from "../functions/services/transcoder.ts";
import { issueTicket } from "./ticket.ts";
import { wakeNext } from "./wake-next.ts";

export const JobPointer = z.object({ track: z.int().positive(), generation: z.int().positive() });

/** Seconds before a message that failed is retried. */
const RETRY_DELAY_S = 10;

/** Seconds until a job is offered again if no transcoder had room and no other job's end would wake it. */
const ALONE_DELAY_S = 5;

/** Starts encodes, one message per job. The lease and its heartbeats do the rest. */
export async function startJobs(batch: MessageBatch<unknown>, env: Env): Promise<void> {
  const db = openDatabase(env);
  // In parallel, because a container may take half a minute to start.
  await Promise.all(batch.messages.map((message) => take(message, db, env)));
}

async function take(message: Message<unknown>, db: Database, env: Env): Promise<void> {
  const pointer = JobPointer.safeParse(message.body);
  if (!pointer.success) {
    logLine("error", "job_message_malformed", { message: message.id });
    message.ack();
    return;
  }
  try {
    await startJob(db, env, pointer.data);
    message.ack();
  } catch (error) {
    logLine("error", "job_start_failed", {
      ...pointer.data,
      attempt: message.attempts,
      ...describeError(error),
    });
    message.retry({ delaySeconds: RETRY_DELAY_S });
  }
}

async function startJob(db: Database, env: Env, pointer: JobPointerRow): Promise<void> {
  const lease = crypto.randomUUID();
  const job = await leaseJob(db, pointer, lease);
  if (!job) return;
  const outcome = await offer(env, pointer.track, lease, job);
  // Where one job found room, there may be room for another.
  if (outcome === "accepted") return wakeNext(db, env);
  if (outcome === "busy") {
    const { alone } = await parkJob(db, pointer.track, lease);
    if (alone) await env.JOBS.send(pointer, { delaySeconds: ALONE_DELAY_S });
  } else await releaseJob(db, pointer.track, lease);
  logLine(outcome === "busy" ? "info" : "warn", `transcoder_${outcome}`, { track: pointer.track });
}

/** Offers the job to a transcoder, which answers at once and reports later. */
async function offer(
  env: Env,
  track: number,
  lease: string,
  job: LeasedJob,
): Promise<"accepted" | "busy" | "unreachable"> {
  const callback = `${env.TRANSCODER_CALLBACK_URL ?? "http://worker.internal"}/jobs/${track}`;
  const body = JSON.stringify({
    job: String(track),
    attempt: job.attempt,
    source_url: `${callback}/source`,
    source_bytes: job.original_content_size,
    outputs_url: `${callback}/outputs`,
    report_url: `${callback}/report`,
    ticket: issueTicket(env, { track, attempt: job.attempt, lease }),
  });
  try {
    // One container per attempt, so that encodes never wait for each other.
    const reply = await askTranscoder(env, `${track}-${job.attempt}`, "/jobs", {
      body,
      headers: { "Content-Type": "application/json" },
    });
    await reply.body?.cancel();
    if (reply.status === 202) return "accepted";
    if (reply.status === 503 || reply.status === 409) return "busy";
    logLine("error", "transcoder_refused", { track, status: reply.status });
    return "unreachable";
  } catch (error) {
    logLine("warn", "transcoder_failed", { track, ...describeError(error) });
    return "unreachable";
  }
}

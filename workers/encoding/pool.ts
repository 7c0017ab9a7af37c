import { createHash } from "node:crypto";
import type { Database } from "../../db/client.ts";
import {
  awaitStart,
  dispatchDueJobs,
  endLeasesOf,
  handOverJob,
  leaseJobs,
  listRetries,
  noteStopped,
  noteTranscoder,
  type OfferedJob,
  type PoolOffer,
  releaseJob,
  restTranscoder,
} from "../../db/queries/job-pool.ts";
import { type JobPointerRow, requeueExpiredLeases } from "../../db/queries/jobs.ts";
import type { Env } from "../../functions/lib/http/env.ts";
import { describeError, logLine } from "../../functions/lib/http/log.ts";
import { askTranscoder, poolSize } from "../../functions/lib/services/transcoder.ts";
import { issueTicket, type Ticket } from "./ticket.ts";

/** Rounds of offers. A transcoder that does not answer takes five seconds of a round; the cron continues. */
const MAX_ROUNDS = 4;

/** Jobs offered at once. More follow when these are accepted. */
const OFFERS_AT_ONCE = 10;

/** Milliseconds. A transcoder takes a job at once, and a container that is not up says so. */
const OFFER_PATIENCE_MS = 5_000;

/** Seconds without offers: longer than a container takes to start, which then asks for jobs itself. */
const START_S = 60;

/** Seconds without offers for a transcoder that is busy or does not answer. */
const REST_S = 10;

/**
 * Offers waiting jobs to transcoders with room. With `pointers`, only if one of these still waits. Jobs without room
 * wait in the database until another job's end hands them over.
 */
export async function fillPool(db: Database, env: Env, pointers: JobPointerRow[] | null): Promise<void> {
  const size = poolSize(env);
  let wanted = pointers;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const leases = Array.from({ length: OFFERS_AT_ONCE }, () => crypto.randomUUID());
    const jobs = await leaseJobs(db, size, leases, wanted);
    const more = await Promise.all(jobs.map((job) => offer(db, env, job)));
    if (jobs.length < OFFERS_AT_ONCE && !more.includes(true)) return;
    wanted = null;
  }
}

/** Jobs sent at once. The rest waits for the next cron, so that a long pause ends in no stampede. */
const SENT_AT_ONCE = 50;

/** Sends messages for waiting jobs, up to the room in the pool. Needed only where no job's end hands over the next. */
export async function sendDueJobs(db: Database, env: Env, delaySeconds = 0): Promise<void> {
  const due = await dispatchDueJobs(db, poolSize(env), SENT_AT_ONCE);
  if (due.length) await env.JOBS.sendBatch(due.map((body) => ({ body, delaySeconds })));
}

/** Sends delayed messages for the next attempt of failed jobs. The cron could be a minute late. */
export async function sendRetries(db: Database, env: Env, tracks: number[]): Promise<void> {
  const retries = tracks.length ? await listRetries(db, tracks) : [];
  if (!retries.length) return;
  // Adds a second, because a message that comes too early is lost.
  const messages = retries.map(({ dueInS, ...body }) => ({ body, delaySeconds: dueInS + 1 }));
  await env.JOBS.sendBatch(messages.slice(0, SENT_AT_ONCE)).catch((error: unknown) =>
    logLine("warn", "retries_not_sent", { jobs: retries.length, ...describeError(error) }),
  );
}

/** Requeues jobs whose transcoder died or is unreachable. */
export async function requeueLost(db: Database, env: Env): Promise<void> {
  const lost = await requeueExpiredLeases(db);
  for (const { track, state } of lost)
    logLine(state === "failed" ? "error" : "warn", "lease_expired", { track, state });
  await sendRetries(
    db,
    env,
    lost.map(({ track }) => track),
  );
}

/** Records that a transcoder stopped. Its jobs are lost at once, without waiting for the end of their leases. */
export async function noteEnd(db: Database, env: Env, transcoder: string): Promise<void> {
  await noteStopped(db, transcoder);
  await endLeasesOf(db, transcoder);
  await requeueLost(db, env);
}

/** Leases the next waiting job to the transcoder that reports the end of another. */
export async function handOver(db: Database, env: Env, ended: Ticket) {
  const next = await handOverJob(db, poolSize(env), leaseAfter(ended.lease), ended.transcoder);
  return next ? describeJob(env, next) : undefined;
}

/** Derives the next lease from the one that ends, so that a repeated report is answered with the same job. */
function leaseAfter(lease: string): string {
  const bytes = createHash("sha256").update(`after ${lease}`).digest().subarray(0, 16);
  // UUID version 8, for application-specific values: RFC 9562 §5.8.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** A job in the form that a transcoder takes. */
function describeJob(env: Env, job: OfferedJob) {
  const { track, attempt, lease, transcoder, source_bytes, traceparent } = job;
  const callback = `${env.TRANSCODER_CALLBACK_URL ?? "http://worker.internal"}/jobs/${track}`;
  return {
    job: String(track),
    attempt,
    source_url: `${callback}/source`,
    source_bytes,
    outputs_url: `${callback}/outputs`,
    report_url: `${callback}/report`,
    ticket: issueTicket(env, { track, attempt, lease, transcoder }),
    ...(traceparent !== null && { traceparent }),
  };
}

interface Answer {
  status: number;
  error?: string | undefined;
  slots?: number | undefined;
}

/** Offers the job to its transcoder. True if the pool turns out to have other room. */
async function offer(db: Database, env: Env, job: PoolOffer): Promise<boolean> {
  const { track, lease, transcoder } = job;
  const answer = await ask(env, job);
  if (answer?.status === 202) {
    const { slots = job.slots } = answer;
    if (slots !== job.slots || !job.is_warm) await noteTranscoder(db, transcoder, slots);
    return slots > job.slots;
  }
  const outcome = answer ? (answer.error ?? "refused") : "unreachable";
  const isUsual = outcome === "starting" || outcome === "busy";
  logLine(isUsual ? "info" : "warn", `transcoder_${outcome}`, { track, transcoder });
  const released = await releaseJob(db, track, lease);
  if (outcome === "starting") return !(await awaitStart(db, transcoder, START_S));
  await restTranscoder(db, transcoder, REST_S);
  // No end of a job would offer it again, because it has no lease.
  for (const pointer of released) await env.JOBS.send(pointer, { delaySeconds: REST_S + 1 });
  return true;
}

/** `undefined` if no answer came. A transcoder that took the job all the same learns at once that its lease is lost. */
async function ask(env: Env, job: PoolOffer): Promise<Answer | undefined> {
  try {
    const reply = await askTranscoder(env, job.transcoder, "/jobs", {
      body: JSON.stringify(describeJob(env, job)),
      headers: { "Content-Type": "application/json" },
      signal: AbortSignal.timeout(OFFER_PATIENCE_MS),
    });
    const text = await reply.text();
    return { status: reply.status, ...readAnswer(text) };
  } catch (error) {
    logLine("warn", "transcoder_failed", { track: job.track, ...describeError(error) });
    return undefined;
  }
}

const ERRORS = ["busy", "starting", "superseded"];

function readAnswer(text: string): Omit<Answer, "status"> {
  try {
    const { error, slots } = JSON.parse(text) as Record<string, unknown>;
    return {
      error: ERRORS.find((known) => known === error),
      slots: Number.isSafeInteger(slots) && Number(slots) > 0 ? Number(slots) : undefined,
    };
  } catch {
    // The reply is a proxy's page, or empty.
    return {};
  }
}

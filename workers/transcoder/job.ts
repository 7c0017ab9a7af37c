import type { Finished, Job } from "./contract.ts";
import { asFailure, JobFailure, LeaseLost } from "./failures.ts";
import type { Ffmpeg } from "./ffmpeg.ts";
import { beat } from "./heartbeat.ts";
import { log } from "./logging.ts";
import { type Progress, startProgress } from "./progress.ts";
import { createReporter, type Reporter } from "./reports.ts";
import { transcode } from "./transcode.ts";
import { startWatchdog } from "./watchdog.ts";

/** Milliseconds for the final report during a shutdown. */
const FAREWELL_MS = 5_000;

export interface RunningJob {
  attempt: number;
  ticket: string;
  /** `false` once only the report is left. Its place is free before the Worker learns of it. */
  isWorking(): boolean;
  /** Stops everything without a report, because another attempt has taken over. */
  abandon(): void;
  /** Stops everything and reports the job as killed, if time allows. */
  shutDown(): void;
  /** Never rejects. */
  ended: Promise<void>;
}

/** Runs jobs, and may take another when one ends. */
export interface Place {
  ffmpeg: Ffmpeg;
  wantsNext(): boolean;
  takeNext(job: Job): void;
}

export function startJob(job: Job, place: Place): RunningJob {
  const work = new AbortController();
  const reports = new AbortController();
  const stop = (reason: unknown) => work.abort(reason);
  let isWorking = true;
  const endWork = () => {
    isWorking = false;
  };
  return {
    attempt: job.attempt,
    ticket: job.ticket,
    isWorking: () => isWorking,
    abandon() {
      reports.abort(new LeaseLost("a later attempt runs here"));
      stop(new LeaseLost("a later attempt runs here"));
    },
    shutDown() {
      stop(new JobFailure("killed", "the transcoder is shutting down"));
      setTimeout(() => reports.abort(new LeaseLost("out of time")), FAREWELL_MS).unref();
    },
    ended: live(job, place, { work, reports, endWork }),
  };
}

async function live(
  job: Job,
  { ffmpeg, wantsNext, takeNext }: Place,
  { work, reports, endWork }: { work: AbortController; reports: AbortController; endWork(): void },
): Promise<void> {
  const about = { job: job.id, attempt: job.attempt, trace_id: job.traceparent?.split("-")[1] };
  const reporter = createReporter(job, reports.signal, wantsNext);
  const progress = startProgress();
  const startedAt = performance.now();
  log("job_started", { ...about, source_bytes: job.sourceBytes });

  let isReporting = false;
  const startReporting = () => {
    isReporting = true;
    endWork();
  };

  // Beats until the Worker accepts the verdict, so that the lease outlasts retries of the report.
  const heart = beat(progress, reports.signal, async (heartbeat) => {
    const end = await reporter.heartbeat(heartbeat);
    // The verdict ended the lease while this heartbeat was under way. The verdict has its own reply.
    if (end && !isReporting) {
      if (end instanceof LeaseLost) reports.abort(end);
      work.abort(end);
    }
    return !end;
  });

  try {
    const result = await encode(job, ffmpeg, progress, work);
    startReporting();
    const next = await reporter.finished(result);
    const ms = Math.round(performance.now() - startedAt);
    log("job_finished", { ...about, duration_ms: result.duration_ms, ms });
    if (next) takeNext(next);
  } catch (error) {
    // The kill's reason takes precedence over errors of the dying processes.
    const cause: unknown = work.signal.aborted ? work.signal.reason : error;
    work.abort(cause);
    startReporting();
    await reportFailure(reporter, cause, about)
      .then((next) => next && takeNext(next))
      .catch((problem) => log("job_abandoned", { ...about, detail: String(problem) }));
  } finally {
    reports.abort();
    await heart;
  }
}

/** Encodes under a watchdog, which ends `work` when nothing moves. */
async function encode(
  job: Job,
  ffmpeg: Ffmpeg,
  progress: Progress,
  work: AbortController,
): Promise<Finished> {
  const fail = (error: unknown) => work.abort(error);
  const { moved, stop } = startWatchdog(() => progress.secondsDecoded, fail);
  try {
    return await transcode(job, { ffmpeg, progress, signal: work.signal, fail, moved });
  } finally {
    stop();
  }
}

/** Resolves to the job that takes the free place. Nobody waits for a report if the lease is lost. */
async function reportFailure(reporter: Reporter, cause: unknown, about: object): Promise<Job | undefined> {
  if (cause instanceof LeaseLost) throw cause;
  const { reason, retryable, message } = asFailure(cause);
  log("job_failed", { ...about, reason, detail: message });
  return reporter.failed({ reason, retryable, detail: message });
}

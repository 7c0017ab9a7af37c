import { setTimeout as sleep } from "node:timers/promises";
import type { Job } from "./contract.ts";
import { asFailure, JobFailure, LeaseLost } from "./failures.ts";
import type { Ffmpeg } from "./ffmpeg.ts";
import { log } from "./logging.ts";
import { asHeartbeat, startProgress } from "./progress.ts";
import { createReporter } from "./reports.ts";
import { transcode } from "./transcode.ts";
import { startWatchdog } from "./watchdog.ts";

const HEARTBEAT_MS = Number(process.env.HEARTBEAT_MS ?? 15_000);

/** Milliseconds for the last word of a job that is being shut down. */
const FAREWELL_MS = 5_000;

export interface RunningJob {
  attempt: number;
  /** False once nothing is left but to report: its place is free before the Worker hears so. */
  isWorking(): boolean;
  /** Stops everything and says nothing more: another attempt has taken over. */
  abandon(): void;
  /** Stops everything and reports the job as killed, if that goes quickly. */
  shutDown(): void;
  /** Never rejects. */
  ended: Promise<void>;
}

export function startJob(job: Job, ffmpeg: Ffmpeg): RunningJob {
  const work = new AbortController();
  const reports = new AbortController();
  const stop = (reason: unknown) => work.abort(reason);
  let isWorking = true;
  const worked = () => {
    isWorking = false;
  };
  return {
    attempt: job.attempt,
    isWorking: () => isWorking,
    abandon() {
      reports.abort(new LeaseLost("a later attempt runs here"));
      stop(new LeaseLost("a later attempt runs here"));
    },
    shutDown() {
      stop(new JobFailure("killed", "the transcoder is shutting down"));
      setTimeout(() => reports.abort(new LeaseLost("out of time")), FAREWELL_MS).unref();
    },
    ended: live(job, ffmpeg, { work, reports, worked }),
  };
}

async function live(
  job: Job,
  ffmpeg: Ffmpeg,
  { work, reports, worked }: { work: AbortController; reports: AbortController; worked(): void },
): Promise<void> {
  const about = { job: job.id, attempt: job.attempt };
  const reporter = createReporter(job, reports.signal);
  const progress = startProgress();
  const fail = (error: unknown) => work.abort(error);
  const watchdog = startWatchdog(() => progress.secondsDecoded, fail);
  const startedAt = performance.now();
  log("job_started", { ...about, source_bytes: job.sourceBytes });

  let isTelling = false;
  const tell = () => {
    isTelling = true;
    worked();
  };

  // Until the verdict is heard: a lease must not run out while a busy Worker is being asked again.
  const beat = async () => {
    while (!reports.signal.aborted) {
      const end = await reporter.heartbeat(asHeartbeat(progress));
      // One that crosses the verdict finds the lease ended by it: the verdict has an answer of its own.
      if (end && isTelling) return;
      if (end instanceof LeaseLost) reports.abort(end);
      if (end) return fail(end);
      await sleep(HEARTBEAT_MS, undefined, { signal: reports.signal }).catch(() => {});
    }
  };
  const heart = beat();

  try {
    const result = await transcode(job, {
      ffmpeg,
      progress,
      signal: work.signal,
      fail,
      moved: watchdog.moved,
    });
    watchdog.stop();
    tell();
    await reporter.finished(result);
    log("job_finished", {
      ...about,
      duration_ms: result.duration_ms,
      ms: Math.round(performance.now() - startedAt),
    });
  } catch (error) {
    // Whatever a dying process made others throw, the reason for which it was killed is the one to tell.
    const cause: unknown = work.signal.aborted ? work.signal.reason : error;
    watchdog.stop();
    fail(cause);
    tell();
    await conclude(cause).catch((problem) => log("job_abandoned", { ...about, detail: String(problem) }));
  } finally {
    reports.abort();
    await heart;
  }

  async function conclude(cause: unknown): Promise<void> {
    if (cause instanceof LeaseLost) throw cause;
    const { reason, retryable, message } = asFailure(cause);
    log("job_failed", { ...about, reason, detail: message });
    await reporter.failed({ reason, retryable, detail: message });
  }
}

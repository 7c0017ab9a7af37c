import { availableParallelism } from "node:os";
import type { Job } from "./contract.ts";
import type { Ffmpeg } from "./ffmpeg.ts";
import { type Place, type RunningJob, startJob } from "./job.ts";

/** Jobs at once. A short one keeps no more than a core busy. */
const SLOTS = Number(process.env.TRANSCODER_SLOTS) || availableParallelism();

export interface Jobs {
  readonly slots: number;
  accept(job: Job): "accepted" | "busy" | "superseded";
  count(): number;
  /** Seconds since the last job ended. */
  idleSeconds(): number;
  shutDown(): Promise<void>;
}

export function createJobs(ffmpeg: Ffmpeg): Jobs {
  const running = new Map<string, RunningJob>();
  let isClosing = false;
  let busyAt = performance.now();

  function start(job: Job): RunningJob {
    const started = startJob(job, place);
    running.set(job.id, started);
    started.ended.then(() => {
      if (running.get(job.id) === started) running.delete(job.id);
      busyAt = performance.now();
    });
    return started;
  }

  const place: Place = {
    ffmpeg,
    wantsNext: () => !isClosing,
    takeNext(job) {
      // This job's lease was made for this place, so it does not compete for one.
      const started = start(job);
      if (isClosing) started.shutDown();
    },
  };

  const working = () => [...running.values()].filter((job) => job.isWorking()).length;

  return {
    slots: SLOTS,
    accept(job) {
      // Checked first: an attempt that is ending here must not count as running.
      if (isClosing) return "busy";
      const current = running.get(job.id);
      if (current?.ticket === job.ticket) return "accepted";
      if (current && current.attempt > job.attempt) return "superseded";
      // A later attempt, or another ticket for this one, exists only because our lease ended.
      current?.abandon();
      if (!current?.isWorking() && working() >= SLOTS) return "busy";
      start(job);
      return "accepted";
    },
    count: () => running.size,
    idleSeconds: () => (running.size ? 0 : (performance.now() - busyAt) / 1000),
    async shutDown() {
      isClosing = true;
      for (const job of running.values()) job.shutDown();
      // A verdict that is being sent may bring one more job.
      while (running.size) await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

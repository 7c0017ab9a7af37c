import { availableParallelism } from "node:os";
import type { Job } from "./contract.ts";
import type { Ffmpeg } from "./ffmpeg.ts";
import { type RunningJob, startJob } from "./job.ts";

/** One job keeps two cores busy. More jobs only delay every first segment. */
const CAPACITY =
  Number(process.env.TRANSCODER_CAPACITY) || Math.max(1, Math.floor(availableParallelism() / 2));

export interface Jobs {
  accept(job: Job): "accepted" | "busy" | "superseded";
  count(): number;
  shutDown(): Promise<void>;
}

export function createJobs(ffmpeg: Ffmpeg): Jobs {
  const running = new Map<string, RunningJob>();
  let isClosing = false;

  function start(job: Job): void {
    const started = startJob(job, ffmpeg);
    running.set(job.id, started);
    started.ended.then(() => {
      if (running.get(job.id) === started) running.delete(job.id);
    });
  }

  const working = () => [...running.values()].filter((job) => job.isWorking()).length;

  return {
    accept(job) {
      // Checked first: an attempt that is ending here must not count as running.
      if (isClosing) return "busy";
      const current = running.get(job.id);
      if (current?.attempt === job.attempt) return "accepted";
      if (current && current.attempt > job.attempt) return "superseded";
      // A later attempt exists only because our lease expired.
      current?.abandon();
      if (!current?.isWorking() && working() >= CAPACITY) return "busy";
      start(job);
      return "accepted";
    },
    count: () => running.size,
    async shutDown() {
      isClosing = true;
      for (const job of running.values()) job.shutDown();
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

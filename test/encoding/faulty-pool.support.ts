import { setTimeout as sleep } from "node:timers/promises";
import { vi } from "vitest";
import { childrenOf } from "../../workers/local/stack/processes.ts";
import { startFaultyStack } from "../faults/faulty-stack.ts";
import { sender } from "../lib/http/requests.support.ts";
import { openStallingStorage } from "../support/stalling-storage.ts";
import type { Fault } from "./fault-schedule.ts";

/**
 * Leases of a minute end ten times as fast, heartbeats come ten times as often, and retries wait a thirtieth of their
 * minutes. A busy machine takes seconds for a heartbeat, so leases are given more time.
 */
const LEASE_SPEED = 10;
const HEARTBEAT_MS = 1_500;
const WAIT_SPEED = 30;

/** Milliseconds. A tick that comes late, as this process had to wait, counts as one of this length. */
const LONGEST_TICK_MS = 1_000;

const TICK_MS = 200;
const CRON_MS = 2_000;

/** Two transcoders of one slot each, with faults between everybody and a clock of their own. */
export async function startFaultyPool() {
  const storage = await openStallingStorage();
  const reports = await openStallingStorage();
  vi.stubEnv("TRANSCODER_SLOTS", "1");
  vi.stubEnv("HEARTBEAT_MS", String(HEARTBEAT_MS));
  const env = { S3_ENDPOINT: storage.url, TRANSCODER_CALLBACK_URL: reports.url };
  const own = await startFaultyStack(env, 2);
  vi.unstubAllEnvs();
  storage.leadTo(own.stack.urls.objects);
  reports.leadTo(`http://127.0.0.1:${own.stack.ports.gateway}`);
  const { sql } = own.auth;
  const query: typeof sql = (text, values) => own.auth.sql(text, values);

  const transcoderOf = (place: number) => own.stack.pids()[place ? `transcoder-${place}` : "transcoder"];
  const victim = (place: number, whom: "transcoder" | "ffmpeg") => {
    const pid = transcoderOf(place);
    return whom === "transcoder" || !pid ? pid : childrenOf(pid)[0];
  };
  const frozen = new Set<number>();
  const signal = (pid: number | undefined, name: NodeJS.Signals) => {
    try {
      if (pid) process.kill(pid, name);
    } catch {
      // It ended meanwhile.
    }
  };

  const acts: { [Kind in Fault["kind"]]: (fault: Extract<Fault, { kind: Kind }>) => unknown } = {
    kill: ({ place, whom, signal: name }) => signal(victim(place, whom), name),
    async freeze({ place, whom, forMs }) {
      const pid = victim(place, whom);
      if (!pid) return;
      frozen.add(pid);
      signal(pid, "SIGSTOP");
      await sleep(forMs);
      signal(pid, "SIGCONT");
      frozen.delete(pid);
    },
    source: ({ how, times, afterBytes }) =>
      void storage.order(/^GET \/[^/]+\/in\//, { kind: how, afterBytes }, times),
    output: ({ how, times, afterBytes }) =>
      void storage.order(/^PUT \/[^/]+\/t\//, { kind: how, afterBytes }, times),
    full: ({ times }) => void storage.order(/^PUT \/[^/]+\/t\//, { kind: "full" }, times),
    report: ({ which, how, times }) =>
      void reports.order(new RegExp(`/report/${which}$`), { kind: how, afterBytes: 0 }, times),
    message: ({ track, copies }) =>
      own.stack.worker.queue(
        "jobs",
        Array.from({ length: copies }, (_, n) => ({
          id: `${track}-${n}`,
          timestamp: new Date(),
          attempts: 1,
          body: { track, generation: 1 },
        })),
      ),
    delete: () => undefined,
  };

  let isRunning = true;
  const every = async (ms: number, work: (sinceMs: number) => Promise<unknown>) => {
    for (let at = performance.now(); isRunning; ) {
      await sleep(ms);
      const now = performance.now();
      await work(now - at);
      at = now;
    }
  };

  /** Moves the jobs' clock by moving their times. */
  const clock = every(TICK_MS, (sinceMs) => {
    const seconds = Math.min(LONGEST_TICK_MS, sinceMs) / 1000;
    return query(
      `with passed as (select make_interval(secs => ${seconds * (LEASE_SPEED - 1)}) as lease,
           make_interval(secs => ${seconds * (WAIT_SPEED - 1)}) as wait),
         jobs as (update encoding_jobs set lease_until = lease_until - lease, next_run_at = next_run_at - wait,
           dispatched_at = dispatched_at - wait from passed where state in ('queued', 'leased'))
       update transcoders set rests_until = rests_until - wait, seen_at = seen_at - lease from passed`,
    );
  });
  let turns = 0;
  const cron = every(CRON_MS, async () => {
    await own.stack.worker.scheduled({ cron: "* * * * *" });
    turns++;
  });

  return {
    ...own,
    sql: query,
    send: sender(own),
    /** Does to the pool what the fault says. Deleting a track is the caller's. */
    suffer: (fault: Fault) => (acts[fault.kind] as (fault: Fault) => unknown)(fault),
    /** Turns of the cron that have ended. */
    turns: () => turns,
    /** Ends all faults. */
    calm() {
      storage.calm();
      reports.calm();
      for (const pid of frozen) signal(pid, "SIGCONT");
    },
    /** Jobs and ffmpegs that the pool runs. */
    async running() {
      const jobs = [0, 1].map(async (place) => {
        const reply = await fetch(`http://127.0.0.1:${own.stack.ports.transcoder + place}/healthz`, {
          headers: { Authorization: `Bearer ${own.stack.secrets.TRANSCODER_SECRET}` },
        }).catch(() => undefined);
        return reply ? ((await reply.json()) as { jobs: number }).jobs : Number.NaN;
      });
      const ffmpegs = [0, 1].flatMap((place) => childrenOf(transcoderOf(place) ?? 0));
      return { jobs: await Promise.all(jobs), ffmpegs: ffmpegs.length };
    },
    async stop() {
      isRunning = false;
      await Promise.all([clock, cron]);
      await own.stop();
      storage.close();
      reports.close();
    },
  };
}

export type FaultyPool = Awaited<ReturnType<typeof startFaultyPool>>;

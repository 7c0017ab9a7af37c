import { randomUUID } from "node:crypto";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../../functions/lib/errors/message-of.ts";
import { createInnerServer, listenForWorker } from "../worker/loopback.ts";
import type { WorkerHandle } from "../worker/worker.ts";
import { openSpool } from "./spool.ts";

/** Plays per message batch, as in `wrangler.toml`. */
const BATCH = 100;
/** Milliseconds for which plays are gathered, and after which those that could not be counted are tried again. */
const GATHER_MS = 500;
const RETRY_MS = 5_000;

type PlaysOptions = { secret: string; log: (line: string) => void; retryMs?: number };

/**
 * Stands in for the queue of plays, which workerd would keep in memory: a play has no row yet, so a crash would lose
 * it. Its callers count as listeners.
 */
export async function startPlays(directory: string, { secret, log, retryMs = RETRY_MS }: PlaysOptions) {
  const spool = openSpool(directory);
  const pausing = new AbortController();
  let counting: Promise<void> | undefined;

  const server = createInnerServer(secret, async (request, response) => {
    try {
      spool.add((await json(request)) as object);
      response.writeHead(202).end();
    } catch (error) {
      log(`A play was not kept: ${messageOf(error)}`);
      response.writeHead(500).end();
    }
  });
  const port = await listenForWorker(server);

  /** A play that was counted before counts nothing, so a file may come twice. */
  async function countAll(queue: WorkerHandle["queue"]): Promise<void> {
    for (const name of spool.toCount()) {
      const plays = spool.read(name);
      for (let from = 0; from < plays.length; from += BATCH) {
        const some = plays.slice(from, from + BATCH);
        const messages = some.map((body) => ({ id: randomUUID(), timestamp: new Date(), attempts: 1, body }));
        const { outcome, ackAll } = await queue("plays", messages);
        if (!ackAll) throw new Error(`outcome ${outcome}`);
      }
      spool.forget(name);
    }
  }
  async function keepCounting(queue: WorkerHandle["queue"]): Promise<void> {
    const { signal } = pausing;
    for (let waitMs = 0; !signal.aborted; ) {
      await sleep(waitMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      waitMs = GATHER_MS;
      await countAll(queue).catch((error: unknown) => {
        waitMs = retryMs;
        if (!signal.aborted) log(`Plays wait: ${messageOf(error)}`);
      });
    }
  }
  return {
    port,
    /** Starts counting, first the plays that an earlier run left. */
    deliverTo(queue: WorkerHandle["queue"]): void {
      counting = keepCounting(queue);
    },
    /** Stops counting before the Worker ends. Plays are still stored. */
    async pause(): Promise<void> {
      pausing.abort();
      await counting;
    },
    async stop(): Promise<void> {
      pausing.abort();
      server.close();
      server.closeAllConnections();
      spool.close();
    },
  };
}

import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../../functions/lib/errors/message-of.ts";
import { identityOf, type ProcessIdentity, stopProcess } from "./processes.ts";
import { type Watchdog, watchChild } from "./watchdog.ts";

const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 5_000;
/** A process that runs this long resets the count of failures. */
const HEALTHY_AFTER_MS = 10_000;
const PATIENCE_MS = 8_000;

export type Service = {
  name: string;
  /** Reports the process at once. Resolves when it serves, rejects if it ends before. */
  start(spawned: (child: ChildProcess) => void): Promise<ChildProcess>;
  stopSignal: "SIGINT" | "SIGTERM";
  /** Called when it ended unexpectedly, before it starts again. */
  crashed?: () => Promise<void>;
};

type Supervised = { name: string; identity(): ProcessIdentity | undefined; stop(): Promise<void> };

/** Starts a service and restarts it whenever it dies. The caller handles a failed first start. */
export async function supervise(
  service: Service,
  { watchdog, log, changed }: { watchdog: Watchdog; log: (line: string) => void; changed: () => void },
): Promise<Supervised> {
  let stopping = false;
  let restarting: Promise<void> | undefined;
  let current: ProcessIdentity | undefined;
  let backoffMs = FIRST_BACKOFF_MS;

  const begin = async () => {
    const child = await service.start((spawned) => watchChild(watchdog, spawned, service.stopSignal));
    const startedAt = Date.now();
    current = identityOf(child.pid ?? 0);
    changed();
    const ended = () => {
      current = undefined;
      if (Date.now() - startedAt > HEALTHY_AFTER_MS) backoffMs = FIRST_BACKOFF_MS;
      if (stopping) return;
      log(`${service.name} ended unexpectedly (${child.signalCode ?? child.exitCode}); starting it again`);
      restarting = again();
    };
    if (child.exitCode !== null || child.signalCode !== null) ended();
    else child.once("exit", ended);
  };

  const complain = (error: unknown) => log(`${service.name}: ${messageOf(error)}`);

  const again = async () => {
    await service.crashed?.().catch(complain);
    while (!stopping) {
      await sleep(backoffMs);
      backoffMs = Math.min(backoffMs * 2, LONGEST_BACKOFF_MS);
      if (stopping) return;
      try {
        return await begin();
      } catch (error) {
        complain(error);
      }
    }
  };

  await begin();
  return {
    name: service.name,
    identity: () => current,
    async stop() {
      stopping = true;
      await restarting;
      // SIGQUIT in between: Postgres then shuts down immediately.
      if (current) await stopProcess(current, [service.stopSignal, "SIGQUIT", "SIGKILL"], PATIENCE_MS);
    },
  };
}

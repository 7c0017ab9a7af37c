import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { workerBindings } from "../../workers/local/worker/bindings.ts";
import { startWorker } from "../../workers/local/worker/worker.ts";
import { CHEAP_PASSWORDS } from "./cheap-passwords.ts";
import { stack } from "./stack.ts";

/**
 * Starts another Worker on the same database, storage and mailbox, with empty caches and without crons. `changed` returns
 * settings that differ. It ends with the test's process at the latest.
 */
export async function startSecondWorker(changed: (port: number) => Record<string, string> = () => ({})) {
  const dataDir = mkdtempSync(join(tmpdir(), "soundpost-second-"));
  mkdirSync(join(dataDir, "logs"));
  cpSync(join(stack.dataDir, "worker"), join(dataDir, "worker"), { recursive: true });
  const first = await freePorts(2);
  const ports = { worker: first, gateway: first + 1 };
  const worker = await startWorker({
    ...{ dataDir, ports, crons: false, log: () => {}, changed: () => {} },
    bindings: { ...workerBindings(stack), ...CHEAP_PASSWORDS, ...changed(ports.worker) },
    watchdog: { watch: () => {}, forget: () => {}, close: () => {} },
  });
  return {
    /** The same path at this Worker. */
    at: (url: string) => {
      const { pathname, search } = new URL(url, stack.urls.api);
      return `http://127.0.0.1:${ports.worker}${pathname}${search}`;
    },
    port: ports.worker,
    pid: () => worker.identity()?.pid ?? 0,
    async stop() {
      await worker.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

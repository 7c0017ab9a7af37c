import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { workerBindings } from "../../workers/local/worker/bindings.ts";
import { startWorker } from "../../workers/local/worker/worker.ts";
import { CHEAP_PASSWORDS } from "./cheap-passwords.ts";

export type Settings = (port: number) => Record<string, string>;

/** Settings of a Worker whose site, accounts and API have hosts of their own, as in production. */
export const THREE_HOSTS: Settings = (port) => ({
  WEB_URL: `http://web.localhost:${port}`,
  AUTH_URL: `http://auth.localhost:${port}`,
  API_URL: `http://api.localhost:${port}`,
});

/**
 * Starts another Worker on a stack's database, storage and mailbox, with empty caches and without crons. `changed` returns
 * settings that differ. It ends with the process at the latest.
 */
export async function startWorkerBeside(
  stack: { dataDir: string } & Parameters<typeof workerBindings>[0],
  changed: Settings,
) {
  const dataDir = mkdtempSync(join(tmpdir(), "soundpost-second-"));
  mkdirSync(join(dataDir, "logs"));
  cpSync(join(stack.dataDir, "worker"), join(dataDir, "worker"), { recursive: true });
  const first = await freePorts(2);
  const ports = { worker: first, gateway: first + 1 };
  const worker = await startWorker({
    dataDir,
    ports,
    crons: false,
    log: () => {},
    changed: () => {},
    bindings: { ...workerBindings(stack), ...CHEAP_PASSWORDS, ...changed(ports.worker) },
    watchdog: { watch: () => {}, forget: () => {}, close: () => {} },
  });
  return {
    port: ports.worker,
    pid: () => worker.identity()?.pid ?? 0,
    async stop() {
      await worker.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

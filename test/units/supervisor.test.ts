import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openProcessRegistry } from "../../workers/local/stack/process-registry.ts";
import { addressesFor } from "../../workers/local/stack/record.ts";
import { keepSecrets } from "../../workers/local/stack/secrets.ts";
import { type Service, supervise } from "../../workers/local/stack/supervisor.ts";

/** A program that ends at once on its first starts, and then runs until it is stopped. */
function program({ failures = 0 } = {}) {
  const pids: number[] = [];
  const start: Service["start"] = async (spawned) => {
    const child = spawn("sleep", [pids.length < failures ? "0" : "60"]);
    spawned(child);
    pids.push(child.pid ?? 0);
    if (pids.length > failures) return child;
    await once(child, "exit");
    throw new Error("it did not start");
  };
  return { pids, service: { name: "The program", start, stopSignal: "SIGTERM" } satisfies Service };
}

test("the watchdog forgets a process that ended before it served: another program may get its id", async () => {
  const watched = new Set<number>();
  const watchdog = {
    watch: (pid: number) => void watched.add(pid),
    forget: (pid: number) => void watched.delete(pid),
    close: () => {},
  };
  const { pids, service } = program({ failures: 1 });
  const quiet = { watchdog, log: () => {}, changed: () => {} };
  await expect(supervise(service, quiet)).rejects.toThrow("it did not start");
  expect(watched).toEqual(new Set());
  const supervised = await supervise(service, quiet);
  expect(watched).toEqual(new Set([pids[1]]));
  await supervised.stop();
  await expect.poll(() => watched).toEqual(new Set());
});

test("a service runs on if the record of processes cannot be written, as on a full disk", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "soundpost-registry-"));
  const addresses = addressesFor(1, 4, await keepSecrets(dataDir));
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const registry = openProcessRegistry({ dataDir, addresses, log, forCommand: false });
  // The draft of the next record takes this path.
  mkdirSync(join(dataDir, `stack.json.${process.pid}.draft`));
  const { pids, service } = program();
  const stop = await registry.start("program", service);
  process.kill(pids[0] ?? 0, "SIGKILL");
  await expect.poll(() => pids).toHaveLength(2);
  await expect.poll(() => registry.pids()).toEqual({ program: pids[1] });
  expect(lines).toContainEqual(expect.stringContaining("stack.json is out of date"));
  await stop();
  registry.close();
  expect(pids).toHaveLength(2);
  rmSync(dataDir, { recursive: true });
});

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { withLockFile } from "../../functions/client/lock-file.ts";

let directory: string;
let path: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "soundpost-lock-"));
  path = join(directory, "session.lock");
});

afterAll(() => rmSync(directory, { recursive: true }));

/** Runs twenty works under the lock and returns how many ran at once at most. */
async function mostAtOnce(): Promise<number> {
  let [running, most] = [0, 0];
  const work = async () => {
    most = Math.max(most, ++running);
    await sleep(2);
    running--;
  };
  await Promise.all(Array.from({ length: 20 }, () => withLockFile(path, work)));
  return most;
}

test("one works at a time, and the lock is gone at the end, after failures too", async () => {
  expect(await mostAtOnce()).toBe(1);
  const failing = withLockFile(path, () => Promise.reject(new Error("failed")));
  await expect(failing).rejects.toThrow("failed");
  expect(existsSync(path)).toBe(false);
});

test("the lock of a process that was killed is taken over by one at a time", async () => {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  writeFileSync(path, `${hostname()} ${pid}`);
  expect(await mostAtOnce()).toBe(1);
});

test("the lock of another machine holds for two minutes", async () => {
  writeFileSync(path, "elsewhere 1");
  let ran = false;
  const waiting = withLockFile(path, async () => {
    ran = true;
  });
  await sleep(300);
  expect(ran).toBe(false);
  const longAgo = new Date(Date.now() - 121_000);
  utimesSync(path, longAgo, longAgo);
  await waiting;
  expect(ran).toBe(true);
});

test("a holder that works for longer keeps its lock", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  let end: (() => void) | undefined;
  const holding = withLockFile(path, () => new Promise<void>((resolve) => (end = resolve)));
  await expect.poll(() => end).toBeDefined();
  const longAgo = new Date(Date.now() - 121_000);
  utimesSync(path, longAgo, longAgo);
  vi.advanceTimersByTime(30_000);
  vi.useRealTimers();
  await expect.poll(() => statSync(path).mtimeMs).toBeGreaterThan(longAgo.getTime() + 60_000);
  end?.();
  await holding;
});

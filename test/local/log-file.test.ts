import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { lineWriter, openLogFile } from "../../workers/local/stack/log-file.ts";
import { mountSmallDisk } from "../support/small-disk.ts";

const directory = mkdtempSync(join(tmpdir(), "soundpost-logs-"));
const rotateAtBytes = 10_000;

afterAll(() => rmSync(directory, { recursive: true }));

const text = (path: string) => readFileSync(path, "utf8");

test("a growing log rotates without losing a line", () => {
  const path = join(directory, "worker.log");
  const write = lineWriter(path, { rotateAtBytes });
  const line = (n: number) => `line ${String(n).padStart(6, "0")} ${"x".repeat(87)}`;
  for (let n = 0; n < 190; n++) write(line(n));
  const wholeLog = text(`${path}.1`) + text(path);
  expect(wholeLog.split("\n").filter(Boolean)).toEqual(Array.from({ length: 190 }, (_, n) => line(n)));
  for (let n = 0; n < 5_000; n++) write(line(n));
  for (const one of [path, `${path}.1`]) expect(statSync(one).size).toBeLessThan(rotateAtBytes + 200);
  expect(text(path).trimEnd().endsWith(line(4_999))).toBe(true);
});

/** Makes the last line of a file as old as that. */
const age = (path: string, days: number) => {
  const at = new Date(Date.now() - days * 24 * 3600_000);
  utimesSync(path, at, at);
};

test("each day has a file of its own, and none stays for longer than fourteen days", () => {
  const path = join(directory, "daily/worker.log");
  mkdirSync(join(directory, "daily"));
  for (const [name, days] of [
    [path, 1],
    [`${path}.1`, 13],
    [`${path}.2`, 15],
  ] as const) {
    writeFileSync(name, `${days} days old\n`);
    age(name, days);
  }
  const write = lineWriter(path, { rotateAtBytes });
  write("today");
  write("today, too");
  expect([path, `${path}.1`, `${path}.2`].map(text)).toEqual([
    "today\ntoday, too\n",
    "1 days old\n",
    "13 days old\n",
  ]);
  expect(readdirSync(join(directory, "daily"))).toHaveLength(3);
});

test("a log that another program holds open begins anew each day, too", async () => {
  const path = join(directory, "held/postgres.log");
  mkdirSync(join(directory, "held"));
  writeFileSync(path, "yesterday\n");
  age(path, 1);
  const { file, close } = openLogFile(path, { rotateAtBytes, lookEachMs: 20 });
  writeFileSync(file, "today\n");
  closeSync(file);
  expect([text(path), text(`${path}.1`)]).toEqual(["today\n", "yesterday\n"]);
  const tomorrow = Date.now() + 24 * 3600_000;
  vi.spyOn(Date, "now").mockReturnValue(tomorrow);
  await expect.poll(() => statSync(path).size).toBe(0);
  vi.restoreAllMocks();
  close();
  expect([text(`${path}.1`), text(`${path}.2`)]).toEqual(["today\n", "yesterday\n"]);
});

test("fourteen older files are kept at most, however much is logged", () => {
  const path = join(directory, "busy/worker.log");
  const write = lineWriter(path, { rotateAtBytes: 10 });
  for (let n = 0; n < 40; n++) write(`line ${n} of forty`);
  expect(readdirSync(join(directory, "busy"))).toHaveLength(15);
  expect(text(`${path}.14`)).toBe("line 25 of forty\n");
});

test("a log continues once its vanished directory is back", () => {
  const path = join(directory, "gone/worker.log");
  const write = lineWriter(path, { rotateAtBytes });
  rmSync(join(directory, "gone"), { recursive: true });
  expect(() => write("lost")).not.toThrow();
  mkdirSync(join(directory, "gone"));
  write("kept");
  expect(text(path)).toBe("kept\n");
});

test("a log that another program holds open is emptied, and its older half remains", async () => {
  const path = join(directory, "postgres.log");
  const { file, close } = openLogFile(path, { rotateAtBytes, lookEachMs: 20 });
  const script =
    'i=0; while [ $i -lt 400 ]; do echo "line $i of a program that never opens its log again"; i=$((i+1)); sleep 0.002; done';
  const program = spawn("/bin/sh", ["-c", script], { stdio: ["ignore", file, file] });
  closeSync(file);
  await once(program, "exit");
  await expect.poll(() => statSync(path).size).toBeLessThanOrEqual(rotateAtBytes);
  close();
  expect(statSync(`${path}.1`).size).toBeGreaterThan(rotateAtBytes);
  // The child must write at the new end, not after a hole.
  expect(text(path)).not.toContain("\0");
});

test("a log whose copy does not fit on the disk is emptied without one", async () => {
  const disk = await mountSmallDisk(1);
  try {
    const path = join(disk.inside, "postgres.log");
    const { file, close } = openLogFile(path, { rotateAtBytes, lookEachMs: 20 });
    writeFileSync(file, Buffer.alloc(700_000, "x"));
    closeSync(file);
    await expect.poll(() => statSync(path).size).toBe(0);
    close();
    expect(readdirSync(disk.inside)).toEqual(["postgres.log"]);
  } finally {
    await disk.unmount();
  }
});

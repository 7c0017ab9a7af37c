import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { allPids, commandLineOf, environmentOf, identityOf } from "../../workers/local/stack/processes.ts";
import { readRunningStack } from "../../workers/local/stack/record.ts";

const PROJECT_DIR = join(import.meta.dirname, "../..");

export const temporaryDataDir = () => realpathSync(mkdtempSync(join(tmpdir(), "soundpost-test-")));

export type NpmStart = {
  npm: ChildProcess;
  dataDir: string;
  /** All lines so far, of both outputs. */
  output(): string;
  /** Resolves with the ready line. Rejects if npm ends without it. */
  ready: Promise<string>;
  ended: Promise<number | NodeJS.Signals | null>;
};

/** Runs a real `npm start` in its own process group, like a terminal. */
export function npmStart({
  port,
  dataDir,
  env = {},
}: {
  port: number;
  dataDir: string;
  env?: Record<string, string>;
}): NpmStart {
  const npm = spawn("npm", ["start", "--silent"], {
    cwd: PROJECT_DIR,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  const ended = once(npm, "exit").then(([code, signal]) => signal ?? code);
  const ready = new Promise<string>((resolve, reject) => {
    for (const stream of [npm.stdout, npm.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk;
        const line = /^Soundpost is ready: .*\n/m.exec(output)?.[0];
        if (line) resolve(line.trim());
      });
    }
    npm.once("close", () => reject(new Error(`npm start ended before it was ready:\n${output}`)));
  });
  ready.catch(() => {}); // not every test awaits it
  return { npm, dataDir, output: () => output, ready, ended };
}

/** Lists the processes with this data directory in their environment or command line. */
export function pidsOf(dataDir: string): number[] {
  const belongs = (pid: number) =>
    commandLineOf(pid).includes(dataDir) ||
    environmentOf(pid).some((one) => /^(SOUNDPOST_)?DATA_DIR=/.test(one) && one.includes(dataDir));
  return allPids().filter((pid) => identityOf(pid) && belongs(pid));
}

export const processesOf = (dataDir: string): string[] =>
  pidsOf(dataDir).map((pid) => `${pid} ${commandLineOf(pid)}`);

export async function until<T>(
  what: string,
  check: () => T | Promise<T>,
  withinMs = 90_000,
): Promise<NonNullable<T>> {
  for (const deadline = Date.now() + withinMs; ; await sleep(50)) {
    const value = await Promise.resolve(check()).catch(() => undefined);
    if (value) return value as NonNullable<T>;
    if (Date.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${what}`);
  }
}

export const nothingRuns = (dataDir: string, withinMs = 60_000) =>
  until(`no process of ${dataDir} is left`, () => processesOf(dataDir).length === 0, withinMs).catch(
    (error) => {
      throw new Error(`${error.message}\n${processesOf(dataDir).join("\n")}`);
    },
  );

export async function runningStack(dataDir: string) {
  const stack = await readRunningStack(dataDir);
  if (!stack) throw new Error(`No stack runs on ${dataDir}`);
  return stack;
}

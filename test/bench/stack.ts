import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { readRunningStack, type StackRecord } from "../../workers/local/stack/record.ts";
import type { Secrets } from "../../workers/local/stack/secrets.ts";
import { PROJECT_DIR } from "../../workers/local/worker/build.ts";
import { putOffRecounts } from "../support/put-off-recounts.ts";
import type { Bench } from "./bench.ts";
import { ownCpuS, treeCpuS } from "./readings.ts";
import { stoppable } from "./stops.ts";

export interface BenchStack extends StackRecord {
  dataDir: string;
  secrets: Secrets;
  pids: Record<ServiceName, number>;
}

type ServiceName = "postgres" | "objects" | "transcoder" | "transcoder-1" | "worker";

/**
 * Runs a whole stack in its own process, so that the bench's work does not count. The starter includes the
 * Neon proxy and the front. `keptDir` survives the run.
 */
export async function withStack<T>(
  bench: Bench,
  use: (stack: BenchStack) => Promise<T>,
  keptDir?: string,
  env: Record<string, string> = {},
): Promise<T> {
  const dataDir = keptDir ?? mkdtempSync(join(bench.scratch, "stack-"));
  const port = await freePorts(3);
  const starter = spawn(process.execPath, [join(PROJECT_DIR, "workers/local/stack/start.ts")], {
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, CHECK_REPLIES: "off", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(starter, "exit");
  const stop = stoppable(async () => {
    starter.kill("SIGTERM");
    await ended;
    if (!keptDir) rmSync(dataDir, { recursive: true, force: true });
  });
  try {
    await readyLine(starter);
    const record = await readRunningStack(dataDir);
    if (!record) throw new Error("The stack says that it is ready and left no record");
    await putOffRecounts(record.databaseUrl);
    const pids = Object.fromEntries(Object.entries(record.children).map(([name, { pid }]) => [name, pid]));
    return await use({ ...record, dataDir, pids: pids as BenchStack["pids"] });
  } finally {
    await stop();
  }
}

function readyLine(starter: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const said: string[] = [];
    if (starter.stdout) {
      createInterface(starter.stdout).on("line", (line) => {
        said.push(line);
        if (line.startsWith("Soundpost is ready")) resolve();
      });
    }
    starter.once("exit", () => reject(new Error(`The stack did not start:\n${said.join("\n")}`)));
  });
}

const transcodersOf = (pids: BenchStack["pids"]) => [pids.transcoder, pids["transcoder-1"]];

const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0);

/** CPU seconds so far, by part. The starter's own are nearly the proxy's. */
export const cpuOf = ({ pid, pids }: BenchStack) => ({
  encoders: total(transcodersOf(pids).map((one) => treeCpuS(one) - ownCpuS(one))),
  transcoder: total(transcodersOf(pids).map(ownCpuS)),
  objects: treeCpuS(pids.objects),
  worker: treeCpuS(pids.worker),
  proxy: ownCpuS(pid),
  postgres: treeCpuS(pids.postgres),
});

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { PROJECT_DIR } from "../support/structure.ts";
import { type WorkerdOptions, workerdConfig } from "../support/workerd-config.ts";

const ROUNDS = 9;
const PATIENCE_MS = 30_000;
/** Hidden, so that it is no module of the bundle. */
const CONFIG = ".config.capnp";

type Settings = Omit<WorkerdOptions, "port">;

/**
 * Milliseconds from a Worker's start to its first answer, in each round, of a bundle and of an empty Worker.
 * They are of the main thread's CPU, because a busy machine disturbs time; an idle one takes as long.
 */
export async function startUpMs(
  bundle: string,
  settings: Settings,
): Promise<{ emptyMs: number[]; bundleMs: number[] }> {
  const empty = mkdtempSync(join(tmpdir(), "soundpost-empty-"));
  writeFileSync(join(empty, "main.js"), "export default { fetch: () => new Response() };");
  try {
    const [bundleMs, emptyMs]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      bundleMs.push(await firstAnswerMs(bundle, settings));
      emptyMs.push(await firstAnswerMs(empty, settings));
    }
    return { emptyMs, bundleMs };
  } finally {
    rmSync(empty, { recursive: true });
  }
}

async function firstAnswerMs(directory: string, settings: Settings): Promise<number> {
  const port = await freePorts();
  writeFileSync(join(directory, CONFIG), workerdConfig(directory, { ...settings, port }));
  const workerd = spawn(join(PROJECT_DIR, "node_modules/.bin/workerd"), ["serve", CONFIG], {
    cwd: directory,
    stdio: "ignore",
  });
  const ended = once(workerd, "exit");
  try {
    await answered(`http://127.0.0.1:${port}/healthz`, workerd);
    return mainThreadMs(workerd.pid ?? 0);
  } finally {
    workerd.kill("SIGKILL");
    await ended;
  }
}

async function answered(url: string, workerd: ChildProcess): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await fetch(url).catch(() => undefined))?.ok) {
    if (workerd.exitCode !== null || Date.now() > deadline) throw new Error("The Worker does not answer");
    await sleep(1);
  }
}

/** The first field is nanoseconds on a processor: docs.kernel.org/scheduler/sched-stats.html */
const mainThreadMs = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;

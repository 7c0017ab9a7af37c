import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { workerBindings } from "../../workers/local/worker/bindings.ts";
import { PROJECT_DIR, QUIET_WRANGLER, wranglerOptions } from "../../workers/local/worker/build.ts";
import { workerdConfig } from "../support/workerd-config.ts";
import type { BenchStack } from "./stack.ts";
import { stoppable } from "./stops.ts";

const PATIENCE_MS = 10_000;
/** Characters of a process's output, shown if it fails. */
const LAST_CHARS = 2_000;
/** Closed, because reads send no mail. */
const NO_MAIL_PORT = 9;

export interface PlainWorkerOptions {
  bindings?: Record<string, string>;
  /** Port of a Cache API; see `workerdConfig`. */
  cachePort?: number | undefined;
  /** Gets each line that the Worker logs. */
  onLog?: (line: string) => void;
}

/** Runs the Worker with its bare route on workerd alone, without Miniflare before it. */
export async function startPlainWorker(
  stack: BenchStack,
  name = "plain-worker",
  options: PlainWorkerOptions = {},
) {
  const { onLog } = options;
  const directory = join(stack.dataDir, name);
  await build(directory);
  const port = await freePorts();
  writeFileSync(join(directory, "config.capnp"), configuration(stack, directory, port, options));
  const workerd = spawn(join(PROJECT_DIR, "node_modules/.bin/workerd"), ["serve", "config.capnp"], {
    cwd: directory,
    stdio: ["ignore", onLog ? "pipe" : "ignore", "pipe"],
  });
  const complaint = lastOf(workerd.stderr as Readable);
  if (onLog && workerd.stdout) createInterface(workerd.stdout).on("line", onLog);
  const ended = once(workerd, "exit");
  const stop = stoppable(async () => {
    workerd.kill("SIGTERM");
    await ended;
  });
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined))?.ok) {
    if (workerd.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`The Worker does not answer on plain workerd: ${complaint()}`);
    }
    await sleep(50);
  }
  return { port, pid: workerd.pid ?? 0, stop };
}

/** Bundled as for a deploy. */
async function build(directory: string): Promise<void> {
  const wrangler = join(
    createRequire(import.meta.url).resolve("wrangler/package.json"),
    "../bin/wrangler.js",
  );
  const main = join(import.meta.dirname, "worker/main.ts");
  const args = ["deploy", main, "--dry-run", "--containers-rollout=none", "--outdir", directory];
  const building = spawn(process.execPath, [wrangler, ...args], {
    cwd: PROJECT_DIR,
    env: { ...process.env, ...QUIET_WRANGLER },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const complaint = lastOf(building.stderr);
  const [code] = await once(building, "close");
  if (code !== 0) throw new Error(`The Worker does not build: ${complaint()}`);
}

function lastOf(stream: Readable): () => string {
  let text = "";
  stream.on("data", (chunk) => {
    text = `${text}${chunk}`.slice(-LAST_CHARS);
  });
  return () => text;
}

function configuration(
  stack: BenchStack,
  directory: string,
  port: number,
  { bindings, cachePort }: PlainWorkerOptions,
): string {
  const { compatibilityDate = "", compatibilityFlags } = wranglerOptions(join(stack.dataDir, "worker"));
  const texts = {
    ...workerBindings({ ...stack, mailPort: NO_MAIL_PORT }),
    CHECK_REPLIES: "off",
    ...bindings,
  };
  const queues = ["JOBS", "PLAYS"];
  return workerdConfig(directory, { port, compatibilityDate, compatibilityFlags, texts, queues, cachePort });
}

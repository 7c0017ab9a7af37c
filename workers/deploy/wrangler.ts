import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";

export const PROJECT_DIR = join(import.meta.dirname, "../..");

const WRANGLER = join(createRequire(import.meta.url).resolve("wrangler/package.json"), "../bin/wrangler.js");

function start(args: string[], output: "inherit" | "pipe"): ChildProcess {
  const quiet = {
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_WRITE_LOGS: "false",
    WRANGLER_HIDE_BANNER: "true",
  };
  return spawn(process.execPath, [WRANGLER, ...args], {
    cwd: PROJECT_DIR,
    env: { ...process.env, ...quiet },
    // It cannot ask questions: a deploy may run unattended.
    stdio: ["ignore", output, output],
  });
}

/** Does something before the operator's eyes. Refuses where wrangler fails, which has said why. */
export async function wrangler(args: string[], failure: string): Promise<void> {
  const [code] = await once(start(args, "inherit"), "close");
  if (code !== 0) throw new Refused(failure);
}

/** Asks something: what it prints is read by us. */
export async function askWrangler(...args: string[]) {
  const child = start(args, "pipe");
  const read = (stream: Readable | null) => (stream ? text(stream) : "");
  const [stdout, stderr, [code]] = await Promise.all([
    read(child.stdout),
    read(child.stderr),
    once(child, "close"),
  ]);
  return { ok: code === 0, stdout, stderr };
}

/** Does something and says so in our words; wrangler's own are for people who write a configuration. */
export async function doByWrangler(done: string, ...args: string[]): Promise<void> {
  const { ok, stdout, stderr } = await askWrangler(...args);
  if (!ok) throw new Refused(`wrangler ${args.join(" ")} failed:`, (stderr || stdout).trim());
  console.log(done);
}

/** Why a deploy does not go on. Its lines are for the operator: no stack. */
export class Refused extends Error {
  readonly lines: string[];

  constructor(...lines: string[]) {
    super(lines.join("\n"));
    this.lines = lines;
  }
}

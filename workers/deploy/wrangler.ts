import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";

export const PROJECT_DIR = join(import.meta.dirname, "../..");

/** Written by `writeConfig`. It stands beside wrangler.toml, because both name files by their path from there. */
export const CONFIG = join(PROJECT_DIR, ".wrangler.json");

const WRANGLER = join(createRequire(import.meta.url).resolve("wrangler/package.json"), "../bin/wrangler.js");

function start(args: string[], output: "inherit" | "pipe"): ChildProcess {
  const quiet = {
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_WRITE_LOGS: "false",
    WRANGLER_HIDE_BANNER: "true",
  };
  // The build that the configuration names runs on this Node, too.
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const child = spawn(process.execPath, [WRANGLER, ...args, "--config", CONFIG], {
    cwd: PROJECT_DIR,
    env: { ...process.env, ...quiet, PATH },
    // No standard input: wrangler must not prompt in an unattended deploy.
    stdio: ["ignore", output, output],
  });
  endTogether(child);
  return child;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const running = new Set<ChildProcess>();

/** Ends with wrangler, which alone would go on uploading, and which a signal may end with status 0. */
function end(signal: NodeJS.Signals): void {
  for (const child of running) child.once("close", () => process.exit(1)).kill(signal);
}

function endTogether(child: ChildProcess): void {
  if (running.size === 0) for (const signal of SIGNALS) process.on(signal, end);
  running.add(child);
  child.once("close", () => {
    running.delete(child);
    if (running.size === 0) for (const signal of SIGNALS) process.off(signal, end);
  });
}

/** Runs wrangler with its output visible. Refuses if it fails, since wrangler has printed the reason. */
export async function wrangler(args: string[], ...failure: string[]): Promise<void> {
  const [code] = await once(start(args, "inherit"), "close");
  if (code !== 0) throw new Refused(...failure);
}

/** Runs wrangler and captures its output. */
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

/** Runs wrangler and prints our own message, because wrangler's explains configuration files. */
export async function runWrangler(message: string, ...args: string[]): Promise<void> {
  const { ok, stdout, stderr } = await askWrangler(...args);
  if (!ok) refuse(args, stdout, stderr);
  console.log(message);
}

function refuse(args: string[], stdout: string, stderr: string): never {
  throw new Refused(`wrangler ${args.join(" ")} failed:`, (stderr || stdout).trim());
}

/** Cloudflare's codes for a bucket and for a queue of that name. */
const THERE_ALREADY = /\[code: (?:10004|11009)\]/;

/** Creates without asking first, because each call starts wrangler. A refusal means that it exists. */
export async function createUnlessThere(what: string, ...args: string[]): Promise<void> {
  const { ok, stdout, stderr } = await askWrangler(...args);
  if (ok) console.log(`${what} created`);
  else if (!THERE_ALREADY.test(stdout + stderr)) refuse(args, stdout, stderr);
}

/** Stops a deploy. Its lines address the operator; no stack is printed. */
export class Refused extends Error {
  readonly lines: string[];

  constructor(...lines: string[]) {
    super(lines.join("\n"));
    this.lines = lines;
  }
}

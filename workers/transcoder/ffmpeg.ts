import { type ChildProcessByStdio, execFile, spawn } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { promisify } from "node:util";
import { JobFailure } from "./failures.ts";
import { log } from "./logging.ts";

export interface Ffmpeg {
  path: string;
  version: string;
  source: "env" | "system";
}

/** Older versions probe streams and name filters differently. */
const OLDEST_SYSTEM_VERSION = 5;

const INSTALL = existsSync("/usr/bin/apt-get")
  ? "sudo apt-get install -y --no-install-recommends ffmpeg"
  : "install ffmpeg by your package manager";

/** Finds the operator's ffmpeg or the system's. Throws with the command that installs one. */
export async function findFfmpeg(fromEnv = process.env.FFMPEG_PATH): Promise<Ffmpeg> {
  if (fromEnv) return { path: fromEnv, version: await chosenVersion(fromEnv), source: "env" };
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const path = join(folder, "ffmpeg");
    if (!isExecutable(path)) continue;
    const version = await versionOf(path).catch(() => "");
    if (majorOf(version) >= OLDEST_SYSTEM_VERSION) return { path, version, source: "system" };
  }
  throw new Error(
    `There is no ffmpeg of ${OLDEST_SYSTEM_VERSION} or newer: ${INSTALL}. Or name one by FFMPEG_PATH`,
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function versionOf(path: string): Promise<string> {
  const { stdout } = await promisify(execFile)(path, ["-version"], { timeout: 10_000 });
  return /^ffmpeg version (\S+)/.exec(stdout)?.[1] ?? "unknown";
}

/** NaN for builds that are named by a commit. */
const majorOf = (version: string): number => Number(/^n?(\d+)\./.exec(version)?.[1]);

/** The operator's own choice may be a build without a number, but no other program and no old version. */
async function chosenVersion(path: string): Promise<string> {
  const version = await versionOf(path);
  if (version === "unknown") throw new Error(`${path} is no ffmpeg`);
  if (majorOf(version) < OLDEST_SYSTEM_VERSION)
    throw new Error(`${path} is ffmpeg ${version}, older than ${OLDEST_SYSTEM_VERSION}`);
  return version;
}

/** KiB of address space. Honest files need under 300,000; a hostile header may ask for any amount. */
const ADDRESS_SPACE_KIB = 1024 * 1024;

/** No core dumps, no files (outputs are pipes), low priority. macOS has no -v. */
const LIMITED =
  'ulimit -c 0; ulimit -f 0; ulimit -v "$1" 2>/dev/null; ulimit -S -t "$2"; shift 2; exec nice -n 10 "$@"';

const COMMON_ARGS = ["-nostdin", "-hide_banner", "-nostats"];

/** Hostile files print 55,000 lines. The last few suffice. */
const LAST_LINES = 12;
const LINE_CHARS = 300;

interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Exit codes of the shell and the loader for a program that is missing or cannot run. ffmpeg has others. */
const NOT_STARTED = [126, 127];

/** Throws if the process was killed or never ran, as while a new version of ffmpeg is installed: not the file's fault. */
export function expectOwnEnd({ code, signal }: Exit, name: string): void {
  if (signal === "SIGKILL" || signal === "SIGTERM") throw new JobFailure("killed", `${name} was killed`);
  if (NOT_STARTED.includes(code ?? 0)) throw new JobFailure("killed", `${name} did not start`);
}

export interface FfmpegProcess {
  stdin: Writable;
  stdout: Readable;
  /** Outputs written to `pipe:3`, `pipe:4`, … */
  morePipes: Readable[];
  exited: Promise<Exit>;
  lastLines(): string[];
}

const running = new Set<number>();

/** Called when this process ends, because process groups survive their parent. */
export const killAllFfmpeg = (): void => {
  for (const pid of running) killGroup(pid);
};

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Already gone.
  }
}

interface StartOptions {
  signal: AbortSignal;
  cpuSeconds?: number;
  /** Count of outputs beyond standard output. */
  morePipes?: number;
  onLine?: (line: string) => void;
}

/**
 * Kills the whole group when `signal` aborts. `onLine` gets each line of stderr, shortened. After
 * `cpuSeconds`, SIGXCPU arrives every second; ffmpeg gives in at the fourth.
 */
export function startFfmpeg(ffmpeg: Ffmpeg, args: string[], options: StartOptions): FfmpegProcess {
  options.signal.throwIfAborted();
  const limits = [String(ADDRESS_SPACE_KIB), String(options.cpuSeconds ?? "unlimited")];
  const command = ["-c", LIMITED, "sh", ...limits, ffmpeg.path, ...COMMON_ARGS, ...args];
  const more = Array<"pipe">(options.morePipes ?? 0).fill("pipe");
  const child = spawn("/bin/sh", command, {
    stdio: ["pipe", "pipe", "pipe", ...more],
    detached: true,
    // Minimal, so that no `http_proxy` variable comes between ffmpeg and our loopback. Arenas of 64 MiB for each thread
    // would pass the limit of address space: since version 7, four outputs take fifteen threads.
    env: { PATH: process.env.PATH, LC_ALL: "C", MALLOC_ARENA_MAX: "2" },
  }) as ChildProcessByStdio<Writable, Readable, Readable>;
  const { pid } = child;
  const kill = () => pid && killGroup(pid);
  if (pid) running.add(pid);
  options.signal.addEventListener("abort", kill, { once: true });

  const lines: string[] = [];
  readLines(child.stderr, (line) => {
    lines.push(line);
    if (lines.length > LAST_LINES) lines.shift();
    options.onLine?.(line);
  });
  // A process that dies early breaks the pipe. Its exit holds the reason.
  child.stdin.on("error", () => {});

  const exited = new Promise<Exit>((resolve) => {
    child.once("error", (error) => {
      log("ffmpeg_not_started", { detail: error.message });
      resolve({ code: 127, signal: null });
    });
    child.once("close", (code, signal) => {
      if (pid) running.delete(pid);
      options.signal.removeEventListener("abort", kill);
      resolve({ code, signal });
    });
  });
  const morePipes = child.stdio.slice(3) as Readable[];
  return { stdin: child.stdin, stdout: child.stdout, morePipes, exited, lastLines: () => lines };
}

function readLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (text: string) => {
    const lines = (rest + text).split(/[\r\n]+/);
    rest = (lines.pop() ?? "").slice(0, LINE_CHARS);
    for (const line of lines) if (line) onLine(line.slice(0, LINE_CHARS));
  });
}

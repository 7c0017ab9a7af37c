import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { type Faults, type GatewayProxy, startGatewayProxy, type Verdict } from "./gateway-proxy.ts";

export interface Transcoder {
  child: ChildProcess;
  url: string;
  announcement: {
    event: string;
    port: number;
    ffmpeg: { path: string; version: string; source: string };
  };
  /** All log output so far. */
  log(): string;
  post(job: unknown): Promise<{ status: number; body: unknown }>;
  /** Starts a job and waits for its verdict. */
  encode(file: Uint8Array, faults?: Faults): Promise<{ worker: GatewayProxy; verdict: Verdict }>;
  /** Ids of its running ffmpeg processes. */
  ffmpegs(): number[];
  /** Count of ports that it listens at. */
  listeners(): number;
  stop(): Promise<void>;
}

const MAIN = join(import.meta.dirname, "../../workers/transcoder/main.ts");

/** Starts the real program with short retry delays. */
export async function startTranscoder(env: Record<string, string> = {}): Promise<Transcoder> {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      ...process.env,
      PORT: "0",
      HOST: "127.0.0.1",
      EXIT_WITH_PARENT: "1",
      RETRY_BASE_MS: "5",
      HEARTBEAT_MS: "50",
      TRANSCODER_SLOTS: "3",
      ...env,
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let logged = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    logged += text;
  });
  const [line] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    once(child, "exit").then(() => Promise.reject(new Error(`the transcoder did not start: ${logged}`))),
  ]);
  const announcement = JSON.parse(line);
  const url = `http://127.0.0.1:${announcement.port}`;

  async function post(job: unknown) {
    const body = typeof job === "string" ? job : JSON.stringify(job);
    const reply = await fetch(`${url}/jobs`, { method: "POST", body });
    return { status: reply.status, body: await reply.json() };
  }

  return {
    child,
    url,
    announcement,
    log: () => logged,
    post,
    async encode(file, faults) {
      const worker = await startGatewayProxy(file, faults);
      const { status } = await post(worker.job);
      if (status !== 202) throw new Error(`the job was answered ${status}`);
      const verdict = await worker.verdict;
      await worker.close();
      return { worker, verdict };
    },
    ffmpegs: () => (child.pid === undefined ? [] : childrenOf(child.pid)),
    listeners: () => (child.pid === undefined ? 0 : listenersOf(child.pid)),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      await gone;
    },
  };
}

/** Linux lists children. Searching by name would find ffmpegs of other programs. */
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").map(Number).filter(Boolean);

/** Linux lists the machine's sockets with their state, 0A for one that listens, and a process's by their inodes. */
function listenersOf(pid: number): number {
  const listening = readFileSync(`/proc/${pid}/net/tcp`, "utf8")
    .split("\n")
    .map((line) => line.trim().split(/ +/))
    .filter((fields) => fields[3] === "0A")
    .map((fields) => `socket:[${fields[9]}]`);
  return readdirSync(`/proc/${pid}/fd`).filter((fd) => listening.includes(linkOf(`/proc/${pid}/fd/${fd}`)))
    .length;
}

/** Returns "" for one that was closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Polls until `isSo`. Fails with the sentence after `withinMs`. */
export async function eventually(sentence: string, isSo: () => boolean, withinMs = 30_000): Promise<void> {
  for (const endAt = Date.now() + withinMs; !isSo(); await sleep(10))
    if (Date.now() > endAt) throw new Error(`never came true: ${sentence}`);
}

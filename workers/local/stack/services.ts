import { type ChildProcess, spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { transcoderName } from "../../../functions/lib/services/transcoder.ts";
import { BUCKETS } from "../worker/bindings.ts";
import { PROJECT_DIR } from "../worker/build.ts";
import { inheritedFrom } from "./inherited.ts";
import { lineWriter } from "./log-file.ts";
import { endLeasesOf } from "./lost-leases.ts";
import { MOST_TRANSCODERS } from "./record.ts";
import type { Secrets } from "./secrets.ts";
import type { Service } from "./supervisor.ts";

/** Exit status of the object store if its port is in use. */
const PORT_TAKEN = 98;
const START_PATIENCE_MS = 20_000;

export type Listening = {
  event: "listening";
  port: number;
  ffmpeg?: { path: string; version: string; source: string };
};

type ProgramOptions = {
  name: string;
  /** Relative to the project's root. */
  script: string;
  nodeFlags?: string[];
  logFile: string;
  env: Record<string, string>;
  listening?: (first: Listening) => void;
};

/** Runs one of our programs as a child process. It reports its port on standard output. */
function programService({ name, script, nodeFlags = [], logFile, env, listening }: ProgramOptions): Service {
  const write = lineWriter(logFile);
  const start: Service["start"] = (spawned) =>
    new Promise<ChildProcess>((resolve, reject) => {
      // The child exits when its standard input ends, so it never outlives us.
      const child = spawn(process.execPath, [...nodeFlags, join(PROJECT_DIR, script)], {
        env: { ...inheritedFrom(process.env), EXIT_WITH_PARENT: "1", ...env },
        stdio: ["pipe", "pipe", "pipe"],
        detached: true,
      });
      spawned(child);
      const patience = setTimeout(() => child.kill("SIGKILL"), START_PATIENCE_MS);
      child.stdin.on("error", () => {});
      createInterface(child.stderr).on("line", write);
      createInterface(child.stdout).on("line", (line) => {
        write(line);
        const said = line.includes('"listening"') ? (JSON.parse(line) as Listening) : undefined;
        if (said?.event !== "listening") return;
        clearTimeout(patience);
        listening?.(said);
        resolve(child);
      });
      child.once("error", reject);
      child.once("exit", (code, signal) => {
        clearTimeout(patience);
        const why = code === PORT_TAKEN ? "its port is taken" : `${signal ?? `exit ${code}`}; see ${logFile}`;
        reject(new Error(`The ${name} did not start: ${why}`));
      });
    });
  return { name: `The ${name}`, start, stopSignal: "SIGTERM" };
}

/** The same limit as in the image. Without one, Node keeps 50 MiB and more of young garbage while large bodies pass. */
export const NODE_FLAGS = ["--max-semi-space-size=2"];

export const objectStore = (options: {
  dataDir: string;
  port: number;
  /** The store also always listens on 127.0.0.1, for the Worker. */
  hosts: string[];
  secrets: Secrets;
}): Service =>
  programService({
    name: "object store",
    script: "workers/local/object-store/main.ts",
    nodeFlags: NODE_FLAGS,
    logFile: join(options.dataDir, "logs/objects.log"),
    env: {
      PORT: String(options.port),
      HOSTS: withLoopback(options.hosts).join(","),
      DATA_DIR: join(options.dataDir, "objects"),
      ROOM_IN: JSON.stringify([options.dataDir, join(options.dataDir, "postgres")]),
      S3_ACCESS_KEY_ID: options.secrets.S3_ACCESS_KEY_ID,
      S3_SECRET_ACCESS_KEY: options.secrets.S3_SECRET_ACCESS_KEY,
      S3_BUCKETS: JSON.stringify(BUCKETS),
    },
  });

/** 0.0.0.0 includes it. */
const withLoopback = (hosts: string[]): string[] =>
  hosts.includes("0.0.0.0") ? hosts : [...new Set(["127.0.0.1", ...hosts])];

/** The first gets the odd core. */
const slotsAt = (place: number): number =>
  Math.max(1, Math.floor((availableParallelism() + (place === 0 ? 1 : 0)) / MOST_TRANSCODERS));

/** One transcoder of the pool. Together they have as many slots as the machine has cores. */
export const transcoder = (options: {
  name: string;
  place: number;
  dataDir: string;
  port: number;
  databaseUrl: string;
  secrets: Secrets;
  listening: (first: Listening) => void;
}): Service => ({
  ...programService({
    name: options.name,
    script: "workers/transcoder/main.ts",
    nodeFlags: NODE_FLAGS,
    logFile: join(options.dataDir, `logs/${options.name}.log`),
    env: {
      PORT: String(options.port),
      HOST: "127.0.0.1",
      TRANSCODER_SECRET: options.secrets.TRANSCODER_SECRET,
      TRANSCODER_SLOTS: process.env.TRANSCODER_SLOTS ?? String(slotsAt(options.place)),
    },
    listening: options.listening,
  }),
  crashed: () => endLeasesOf(options.databaseUrl, transcoderName(options.place)),
});

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { S3Client } from "@aws-sdk/client-s3";
import { afterAll, onTestFinished, TestRunner } from "vitest";
import type { SmallDisk } from "../support/small-disk.ts";

export const CREDENTIALS = { accessKeyId: "test-key", secretAccessKey: "test-secret" };
export const ORIGIN = "http://listener.example";

const BUCKETS = {
  media: {
    cors: [
      {
        allowed: { origins: [ORIGIN], methods: ["PUT", "GET"], headers: ["content-type"] },
        exposeHeaders: ["ETag"],
        maxAgeSeconds: 3600,
      },
    ],
  },
  open: { cors: [{ allowed: { origins: ["*"], methods: ["GET", "HEAD"] } }] },
};

export interface ObjectStore {
  readonly url: string;
  readonly directory: string;
  readonly s3: S3Client;
  readonly process: ChildProcess;
  stop(signal?: "SIGTERM" | "SIGKILL"): Promise<void>;
}

/** A directory until the end of the test, or of the file if it asks outside its tests. */
export function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "object-store-"));
  const forget = () => rmSync(directory, { recursive: true, force: true });
  if (TestRunner.getCurrentTest()) onTestFinished(forget);
  else afterAll(forget);
  return directory;
}

/** Starts it on `disk`, if given. */
export function launch(directory: string, env: Record<string, string> = {}, disk?: SmallDisk) {
  const main = join(import.meta.dirname, "../../workers/local/object-store/main.ts");
  const [program = "", ...words] = [...(disk?.enter ?? []), process.execPath, main];
  return spawn(program, words, {
    env: {
      PATH: process.env.PATH,
      PORT: "0",
      HOSTS: "127.0.0.1",
      DATA_DIR: directory,
      S3_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      S3_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
      S3_BUCKETS: JSON.stringify(BUCKETS),
      EXIT_WITH_PARENT: "1",
      ...env,
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
}

export async function startObjectStore(
  directory = newDirectory(),
  env: Record<string, string> = {},
  disk?: SmallDisk,
): Promise<ObjectStore> {
  const child = launch(directory, env, disk);
  child.stderr.pipe(process.stderr);
  const ended = once(child, "exit").then(() => Promise.reject(new Error("The store did not start")));
  ended.catch(() => {});
  const [line] = await Promise.race([once(createInterface(child.stdout), "line"), ended]);
  const url = `http://127.0.0.1:${JSON.parse(line).port}`;
  return {
    url,
    directory,
    s3: clientOf(url),
    process: child,
    async stop(signal = "SIGTERM") {
      const exited = child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined;
      child.kill(signal);
      await exited;
    },
  };
}

/** Configured like the Worker's client. */
export const clientOf = (endpoint: string, credentials = CREDENTIALS) =>
  new S3Client({
    endpoint,
    credentials,
    region: "auto",
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 1,
  });

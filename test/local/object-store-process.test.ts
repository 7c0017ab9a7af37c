import { once } from "node:events";
import { readdirSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, newDirectory, type ObjectStore, startObjectStore } from "./object-store-process.ts";

const Bucket = "media";
const SIZE_BYTES = 1_000_000;
const blobFiles = (directory: string) =>
  readdirSync(join(directory, "blobs"), { recursive: true }).filter((name) => String(name).includes("/"));
const head = ({ s3 }: ObjectStore, Key: string) => s3.send(new HeadObjectCommand({ Bucket, Key }));

/** Shared by the tests that neither end it nor give it settings. */
let store: ObjectStore;

beforeAll(async () => {
  store = await startObjectStore();
});
afterAll(() => store?.stop());

/** Sends half of the announced body and waits until the disk has it. */
async function halfPut({ s3, directory }: ObjectStore, Key: string) {
  const url = await getSignedUrl(s3, new PutObjectCommand({ Bucket, Key, ContentLength: SIZE_BYTES }));
  const before = blobFiles(directory).length;
  const sending = request(url, { method: "PUT", headers: { "content-length": SIZE_BYTES } });
  sending.on("error", () => {});
  sending.write(Buffer.alloc(SIZE_BYTES / 2));
  while (blobFiles(directory).length === before) await delay(5);
  return sending;
}

test("objects and unfinished uploads survive a restart", async () => {
  const first = await startObjectStore();
  await first.s3.send(new PutObjectCommand({ Bucket, Key: "kept", Body: "kept" }));
  const { UploadId } = await first.s3.send(new CreateMultipartUploadCommand({ Bucket, Key: "resumed" }));
  const at = { Bucket, Key: "resumed", UploadId };
  const { ETag } = await first.s3.send(new UploadPartCommand({ ...at, PartNumber: 1, Body: "part" }));
  await first.stop("SIGKILL");

  const second = await startObjectStore(first.directory);
  const Parts = [{ PartNumber: 1, ETag }];
  await second.s3.send(new CompleteMultipartUploadCommand({ ...at, MultipartUpload: { Parts } }));
  for (const [Key, content] of [
    ["kept", "kept"],
    ["resumed", "part"],
  ]) {
    const { Body } = await second.s3.send(new GetObjectCommand({ Bucket, Key }));
    expect(await Body?.transformToString()).toBe(content);
  }
  await second.stop();
  expect(second.process.exitCode).toBe(0);
});

test("a kill during a PUT leaves no object, and no file after the next start", async () => {
  const first = await startObjectStore();
  await halfPut(first, "killed");
  await first.stop("SIGKILL");
  expect(blobFiles(first.directory)).toHaveLength(1);
  const second = await startObjectStore(first.directory);
  expect(blobFiles(first.directory)).toHaveLength(0);
  await expect(head(second, "killed")).rejects.toMatchObject({ name: "NotFound" });
  await second.stop();
});

test("a client that disconnects during a PUT leaves the old object unchanged", async () => {
  await store.s3.send(new PutObjectCommand({ Bucket, Key: "broken", Body: "old" }));
  const sending = await halfPut(store, "broken");
  sending.destroy();
  while (blobFiles(store.directory).length > 1) await delay(5);
  expect(await head(store, "broken")).toMatchObject({ ContentLength: 3 });
});

test("a port in use ends the server with code 98 and one clear line", async () => {
  const second = launch(newDirectory(), { PORT: new URL(store.url).port });
  const [complaint, [exitCode]] = await Promise.all([text(second.stderr), once(second, "exit")]);
  expect(exitCode).toBe(98);
  expect(complaint.trim()).toBe(
    `object store: port ${new URL(store.url).port} on 127.0.0.1 is already in use`,
  );
});

test("a folder admits one server only", async () => {
  const second = launch(store.directory);
  const [complaint, [exitCode]] = await Promise.all([text(second.stderr), once(second, "exit")]);
  expect(exitCode).toBe(1);
  expect(complaint).toContain("another server has the folder");
});

test("the server ends with its parent", async () => {
  const store = await startObjectStore();
  store.process.stdin?.end();
  const [exitCode] = await once(store.process, "exit");
  expect(exitCode).toBe(0);
});

test("a test can inject failures for the next requests only", async () => {
  const store = await startObjectStore(newDirectory(), { FAULTS: "1" });
  await store.s3.send(new PutObjectCommand({ Bucket, Key: "flaky", Body: "x" }));
  const fault = { match: "HEAD /media/flaky", status: 503, times: 1 };
  await fetch(`${store.url}/__faults`, { method: "POST", body: JSON.stringify(fault) });
  await expect(head(store, "flaky")).rejects.toMatchObject({ $metadata: { httpStatusCode: 503 } });
  expect(await head(store, "flaky")).toMatchObject({ ContentLength: 1 });
  const reset = { ...fault, status: "reset" };
  await fetch(`${store.url}/__faults`, { method: "POST", body: JSON.stringify(reset) });
  await expect(head(store, "flaky")).rejects.toThrow();
  await store.stop();

  const plain = await startObjectStore();
  expect((await fetch(`${plain.url}/__faults`, { method: "POST", body: JSON.stringify(fault) })).status).toBe(
    403,
  );
  await plain.stop();
});

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { roomCheck } from "../../workers/admin/server/machine-checks.ts";
import { CATALOG, SNAPSHOT } from "../../workers/local/object-store/catalog.ts";
import { hasRoom } from "../../workers/local/object-store/room.ts";
import { mountSmallDisk, type SmallDisk } from "../support/small-disk.ts";
import { newDirectory, type ObjectStore, startObjectStore } from "./object-store-process.ts";

const Bucket = "media";
const MIB = 1024 * 1024;
const DISK_MIB = 16;
const FULL = { $metadata: { httpStatusCode: 507 } };

let disk: SmallDisk;
let store: ObjectStore;

beforeAll(async () => {
  disk = await mountSmallDisk(DISK_MIB);
  store = await startObjectStore(disk.path, {}, disk);
});
afterAll(async () => {
  await store?.stop();
  await disk?.unmount();
});

const put = (Key: string, bytes: number) =>
  store.s3.send(new PutObjectCommand({ Bucket, Key, Body: Buffer.alloc(bytes, Key) }));
const remove = (Key: string) => store.s3.send(new DeleteObjectCommand({ Bucket, Key }));
const bytesOf = async (Key: string) =>
  (await (await store.s3.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToByteArray())?.length;
const ready = async () => (await store.s3.send(new HeadBucketCommand({ Bucket }))).$metadata.httpStatusCode;

/** Stores objects of a MiB until one is refused, and returns their keys. */
async function fillWithObjects(): Promise<string[]> {
  const keys: string[] = [];
  for (let n = 0; n < DISK_MIB; n++) {
    const key = `filler/${n}`;
    const refused = await put(key, MIB).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (refused) {
      expect(refused).toMatchObject(FULL);
      return keys;
    }
    keys.push(key);
  }
  throw new Error("The disk did not fill");
}

test("507: objects leave room on the disk, so that others can be deleted, and then there is room again", async () => {
  const keys = await fillWithObjects();
  expect(disk.freeBytes()).toBeGreaterThan((DISK_MIB / 20) * MIB);
  await expect(put("another", MIB)).rejects.toMatchObject(FULL);
  expect(await bytesOf("filler/0")).toBe(MIB);
  for (const key of keys) await remove(key);
  await put("another", MIB);
  await remove("another");
  const { KeyCount } = await store.s3.send(new ListObjectsV2Command({ Bucket }));
  expect(KeyCount).toBe(0);
});

test("507: uploads at once do not take the same room twice", async () => {
  const keys = Array.from({ length: DISK_MIB }, (_, n) => `together/${n}`);
  const outcomes = await Promise.allSettled(keys.map((key) => put(key, MIB)));
  for (const { reason } of outcomes.filter((outcome) => outcome.status === "rejected"))
    expect(reason).toMatchObject(FULL);
  expect(outcomes.some(({ status }) => status === "rejected")).toBe(true);
  expect(disk.freeBytes()).toBeGreaterThan((DISK_MIB / 20) * MIB);
  for (const key of keys) await remove(key);
});

test("507: a disk that others filled takes nothing, gives what it has and takes again when it has room", async () => {
  await put("kept", MIB);
  const { UploadId } = await store.s3.send(new CreateMultipartUploadCommand({ Bucket, Key: "parts" }));
  const part = { Bucket, Key: "parts", UploadId, PartNumber: 1, Body: Buffer.alloc(MIB) };
  disk.fill();
  await expect(put("lost", 1)).rejects.toMatchObject(FULL);
  await expect(store.s3.send(new UploadPartCommand(part))).rejects.toMatchObject(FULL);
  await expect(ready()).rejects.toMatchObject(FULL);
  expect(await bytesOf("kept")).toBe(MIB);
  disk.empty();
  expect(await ready()).toBe(200);
  await store.s3.send(new UploadPartCommand(part));
  await put("lost", 1);
});

test("507: a catalog without room for a line says so, and the object stays as it was", async () => {
  await put("replaced", 3);
  disk.fill();
  // Each takes some bytes of the catalog's last page, until it has to grow.
  const opened = Array.from({ length: 200 }, (_, n) =>
    store.s3.send(new CreateMultipartUploadCommand({ Bucket, Key: `uploads/${n}` })),
  );
  const refused = (await Promise.allSettled(opened)).filter(({ status }) => status === "rejected");
  expect(refused.length).toBeGreaterThan(0);
  for (const outcome of refused) expect(outcome).toMatchObject({ reason: FULL });
  await expect(remove("replaced")).rejects.toMatchObject(FULL);
  expect(await bytesOf("replaced")).toBe(3);
  disk.empty();
  await remove("replaced");
});

test("a backup that finds the disk full leaves the store running", async () => {
  await put("kept", MIB);
  disk.fill();
  store.process.kill("SIGUSR2");
  await sleep(300);
  expect(await bytesOf("kept")).toBe(MIB);
  disk.empty();
  store.process.kill("SIGUSR2");
  const copy = join(disk.inside, SNAPSHOT);
  await expect.poll(() => existsSync(copy)).toBe(true);
});

/** Makes unfinished uploads so old that the next start forgets them. */
function ageUploads(): void {
  const program = `new (require("node:sqlite").DatabaseSync)(process.argv[1]).exec("UPDATE uploads SET created_ms = 0")`;
  const [enter = "", ...words] = disk.enter;
  const run = [process.execPath, "-e", program, join(disk.path, CATALOG)];
  expect(spawnSync(enter, [...words, ...run], { encoding: "utf8" })).toMatchObject({ status: 0 });
}

test("a store killed on a disk that is full then starts all the same, even with uploads to forget", async () => {
  await put("kept", MIB);
  await store.s3.send(new CreateMultipartUploadCommand({ Bucket, Key: "old" }));
  await store.stop("SIGKILL");
  ageUploads();
  disk.fill();
  store = await startObjectStore(disk.path, {}, disk);
  expect(await bytesOf("kept")).toBe(MIB);
  await expect(put("lost too", 1)).rejects.toMatchObject(FULL);
  disk.empty();
  await put("kept", 2);
  expect(await bytesOf("kept")).toBe(2);
});

test("readiness watches further disks", async () => {
  const directory = newDirectory();
  const watching = await startObjectStore(directory, { ROOM_IN: JSON.stringify([disk.path]) }, disk);
  const status = async () =>
    (await watching.s3.send(new HeadBucketCommand({ Bucket })).catch((error) => error)).$metadata
      .httpStatusCode;
  try {
    expect(await status()).toBe(200);
    disk.fill(100 * 1024);
    expect(await status()).toBe(507);
    disk.empty();
    expect(await status()).toBe(200);
    disk.setReadOnly(true);
    expect(await status()).toBe(507);
  } finally {
    disk.setReadOnly(false);
    disk.empty();
    await watching.stop();
  }
});

test("an operator learns whether all uploads are refused, or only those that do not fit", () => {
  const said = () => roomCheck(disk.inside);
  expect(said().says).toMatch(/0\.0 GiB free .*: an upload that is larger is refused$/);
  disk.fill(100 * 1024);
  expect(said().says).toMatch(/: uploads are refused$/);
  disk.empty();
});

test("a missing directory, or a disk without size, does not count as full", () => {
  expect(hasRoom([newDirectory(), "/nowhere", "/proc"])).toBe(true);
});

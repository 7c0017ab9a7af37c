import { createHash, randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { afterAll, expect, test } from "vitest";
import { startObjectStore } from "./object-store-process.ts";

const store = await startObjectStore();
afterAll(() => store.stop());
const { s3 } = store;
const Bucket = "media";
const PART_BYTES = 5 * 1024 * 1024;
const md5 = (body: Buffer) => createHash("md5").update(body).digest();

async function createUpload(Key: string) {
  const { UploadId } = await s3.send(
    new CreateMultipartUploadCommand({ Bucket, Key, ContentType: "audio/wav" }),
  );
  const at = { Bucket, Key, UploadId };
  return {
    at,
    part: async (PartNumber: number, Body: Buffer): Promise<CompletedPart> => {
      const { ETag } = await s3.send(new UploadPartCommand({ ...at, PartNumber, Body }));
      return { PartNumber, ETag };
    },
    complete: (Parts: CompletedPart[]) =>
      s3.send(new CompleteMultipartUploadCommand({ ...at, MultipartUpload: { Parts } })),
    parts: async (more = {}) => await s3.send(new ListPartsCommand({ ...at, ...more })),
    abort: () => s3.send(new AbortMultipartUploadCommand(at)),
  };
}

const read = async (Key: string, Range?: string) => {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key, Range }));
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
};
const fails = (request: Promise<unknown>, name: string, httpStatusCode: number) =>
  expect(request).rejects.toMatchObject({ name, $metadata: { httpStatusCode } });
const blobFiles = () =>
  readdirSync(join(store.directory, "blobs"), { recursive: true }).filter((name) =>
    String(name).includes("/"),
  );

const [first, second, third] = [randomBytes(PART_BYTES), randomBytes(PART_BYTES), randomBytes(1234)];
const whole = Buffer.concat([first, second, third]);

test("parts in any order, some in parallel, become one object", async () => {
  const upload = await createUpload("song");
  const last = await upload.part(3, third);
  const others = await Promise.all([upload.part(2, second), upload.part(1, first)]);
  expect(others.map(({ ETag }) => ETag)).toEqual(
    [second, first].map((body) => `"${md5(body).toString("hex")}"`),
  );
  const { ETag } = await upload.complete([...others.toReversed(), last]);
  expect(ETag).toBe(`"${md5(Buffer.concat([first, second, third].map(md5))).toString("hex")}-3"`);
  expect((await read("song")).equals(whole)).toBe(true);
  const head = await s3.send(new HeadObjectCommand({ Bucket, Key: "song" }));
  expect(head).toMatchObject({ ContentLength: whole.length, ContentType: "audio/wav", ETag });
});

test("ranges cross the borders between parts", async () => {
  for (const [start, end] of [
    [PART_BYTES - 3, PART_BYTES + 3],
    [PART_BYTES, PART_BYTES],
    [10, 2 * PART_BYTES + 10],
  ] as const) {
    expect((await read("song", `bytes=${start}-${end}`)).equals(whole.subarray(start, end + 1))).toBe(true);
  }
  expect((await read("song", "bytes=-2000")).equals(whole.subarray(-2000))).toBe(true);
});

test("a part sent again replaces the earlier one and its file", async () => {
  const before = blobFiles().length;
  const upload = await createUpload("again");
  const stale = await upload.part(1, second);
  const part = await upload.part(1, third);
  expect(blobFiles()).toHaveLength(before + 1);
  await fails(upload.complete([stale]), "InvalidPart", 400);
  await upload.complete([part]);
  expect((await read("again")).equals(third)).toBe(true);
});

test("completing requires existing parts, in order, each once, and at least one", async () => {
  const upload = await createUpload("refused");
  const [one, two] = [await upload.part(1, first), await upload.part(2, third)];
  await fails(upload.complete([two, one]), "InvalidPartOrder", 400);
  await fails(upload.complete([one, one]), "InvalidPartOrder", 400);
  await fails(upload.complete([one, { PartNumber: 3, ETag: two.ETag }]), "InvalidPart", 400);
  await fails(upload.complete([{ PartNumber: 1, ETag: '"0"' }]), "InvalidPart", 400);
  await fails(upload.complete([]), "MalformedXML", 400);
  await fails(read("refused"), "NoSuchKey", 404);
  await upload.complete([one, two]);
});

test("all parts but the last have one size of at least 5 MiB, as R2 demands", async () => {
  const small = await createUpload("small");
  const parts = [await small.part(1, third), await small.part(2, third)];
  await fails(small.complete(parts), "EntityTooSmall", 400);
  const uneven = await createUpload("uneven");
  const larger = randomBytes(PART_BYTES + 1);
  const unevenParts = [
    await uneven.part(1, first),
    await uneven.part(2, larger),
    await uneven.part(3, third),
  ];
  await fails(uneven.complete(unevenParts), "InvalidPart", 400);
  await Promise.all([small.abort(), uneven.abort()]);
});

test("the upload is gone after completing, and the object stays", async () => {
  const upload = await createUpload("twice");
  const part = await upload.part(1, third);
  await upload.complete([part]);
  await fails(upload.complete([part]), "NoSuchUpload", 404);
  await fails(upload.part(2, first), "NoSuchUpload", 404);
  await fails(upload.parts(), "NoSuchUpload", 404);
  await fails(upload.abort(), "NoSuchUpload", 404);
  expect((await read("twice")).equals(third)).toBe(true);
});

test("aborting frees the disk, as completing does for unused parts", async () => {
  const before = blobFiles().length;
  const aborted = await createUpload("aborted");
  await aborted.part(1, third);
  await aborted.abort();
  await fails(read("aborted"), "NoSuchKey", 404);
  const partial = await createUpload("partial");
  const [, lastPart] = [await partial.part(1, second), await partial.part(7, third)];
  await partial.complete([lastPart]);
  expect(blobFiles()).toHaveLength(before + 1);
  await s3.send(new DeleteObjectCommand({ Bucket, Key: "partial" }));
  expect(blobFiles()).toHaveLength(before);
});

test("parts are listed by number, page by page", async () => {
  const upload = await createUpload("listed");
  for (const number of [4, 10_000, 2]) await upload.part(number, third);
  const page = await upload.parts({ MaxParts: 2 });
  expect(page.Parts?.map(({ PartNumber, Size }) => [PartNumber, Size])).toEqual([
    [2, 1234],
    [4, 1234],
  ]);
  expect(page).toMatchObject({ IsTruncated: true, NextPartNumberMarker: "4" });
  const rest = await upload.parts({ PartNumberMarker: page.NextPartNumberMarker });
  expect(rest.Parts?.map(({ PartNumber }) => PartNumber)).toEqual([10_000]);
  expect(rest.IsTruncated).toBe(false);
  await fails(upload.part(10_001, third), "InvalidArgument", 400);
  await fails(upload.part(0, third), "InvalidArgument", 400);
});

test("an upload belongs to its key, and unfinished ones are listed", async () => {
  const [one, other] = [await createUpload("open/1"), await createUpload("open/2")];
  await fails(
    s3.send(new UploadPartCommand({ ...one.at, Key: "open/2", PartNumber: 1, Body: third })),
    "NoSuchUpload",
    404,
  );
  const page = await s3.send(new ListMultipartUploadsCommand({ Bucket, Prefix: "open/", MaxUploads: 1 }));
  expect(page.Uploads?.map(({ UploadId }) => UploadId)).toEqual([one.at.UploadId]);
  const rest = await s3.send(
    new ListMultipartUploadsCommand({
      Bucket,
      Prefix: "open/",
      KeyMarker: page.NextKeyMarker,
      UploadIdMarker: page.NextUploadIdMarker,
    }),
  );
  expect(rest.Uploads?.map(({ UploadId }) => UploadId)).toEqual([other.at.UploadId]);
});

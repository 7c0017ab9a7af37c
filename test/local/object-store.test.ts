import { createHash, randomBytes } from "node:crypto";
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { afterAll, expect, test } from "vitest";
import { clientOf, startObjectStore } from "./object-store-process.ts";

const store = await startObjectStore();
afterAll(() => store.stop());
const { s3 } = store;
const Bucket = "media";

const put = (Key: string, Body: string | Buffer, more = {}) =>
  s3.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
const bytes = async (Key: string, more = {}) => {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key, ...more }));
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
};
const fails = (request: Promise<unknown>, name: string, httpStatusCode: number) =>
  expect(request).rejects.toMatchObject({ name, $metadata: { httpStatusCode } });

test("an object returns with its bytes, type and metadata", async () => {
  const body = randomBytes(300_000);
  const { ETag } = await put("whole", body, {
    ContentType: "audio/flac",
    Metadata: { title: "a b" },
    CacheControl: "no-store",
  });
  expect(ETag).toBe(`"${createHash("md5").update(body).digest("hex")}"`);
  expect(await bytes("whole")).toEqual(body);
  const head = await s3.send(new HeadObjectCommand({ Bucket, Key: "whole" }));
  expect(head).toMatchObject({
    ContentLength: 300_000,
    ContentType: "audio/flac",
    ETag,
    CacheControl: "no-store",
  });
  expect(head.Metadata).toEqual({ title: "a b" });
});

test("an empty object is stored", async () => {
  await put("empty", "", { ContentLength: 0 });
  expect(await bytes("empty")).toHaveLength(0);
  await fails(bytes("empty", { Range: "bytes=0-" }), "InvalidRange", 416);
});

const KEYS = [
  "a/b",
  "a",
  "a/",
  "a//b",
  "../../etc/passwd",
  "..",
  "./x",
  "ü/日本 語+%2F%&'()*!~\"<>",
  "x\u0001\n",
  "k".repeat(1024),
];

test.each(KEYS)("the key %j is stored literally", async (key) => {
  await put(key, key);
  expect((await bytes(key)).toString()).toBe(key);
  const listed = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: key, EncodingType: "url" }));
  expect(listed.Contents?.map(({ Key }) => decodeURIComponent(Key ?? ""))).toContain(key);
  await s3.send(new DeleteObjectCommand({ Bucket, Key: key }));
  await fails(bytes(key), "NoSuchKey", 404);
});

test("a key over 1024 bytes is refused", () => fails(put("ü".repeat(513), "x"), "KeyTooLongError", 400));

test.each([
  ["bytes=0-0", 0, 1],
  ["bytes=10-19", 10, 20],
  ["bytes=990-", 990, 1000],
  ["bytes=990-5000", 990, 1000],
  ["bytes=-10", 990, 1000],
  ["bytes=-5000", 0, 1000],
])("%s", async (Range, start, end) => {
  const body = randomBytes(1000);
  await put("ranged", body);
  const reply = await s3.send(new GetObjectCommand({ Bucket, Key: "ranged", Range }));
  expect(reply.$metadata.httpStatusCode).toBe(206);
  expect(reply).toMatchObject({ ContentRange: `bytes ${start}-${end - 1}/1000`, ContentLength: end - start });
  expect(Buffer.from((await reply.Body?.transformToByteArray()) ?? [])).toEqual(body.subarray(start, end));
});

test("416: a range past the end; several or malformed ranges return the whole object", async () => {
  await put("ranged", "0123456789");
  for (const range of ["bytes=10-", "bytes=-0"])
    await fails(bytes("ranged", { Range: range }), "InvalidRange", 416);
  for (const range of ["bytes=0-1,3-4", "bytes=5-2", "seconds=1-2"]) {
    expect(await bytes("ranged", { Range: range })).toHaveLength(10);
  }
});

test("conditional requests: 304 for a matching reader, 412 for a failed precondition", async () => {
  const { ETag } = await put("conditional", "one");
  await expect(bytes("conditional", { IfNoneMatch: ETag })).rejects.toMatchObject({
    $metadata: { httpStatusCode: 304 },
  });
  await fails(bytes("conditional", { IfMatch: '"other"' }), "PreconditionFailed", 412);
  await fails(put("conditional", "two", { IfNoneMatch: "*" }), "PreconditionFailed", 412);
  await fails(put("conditional", "two", { IfMatch: '"other"' }), "PreconditionFailed", 412);
  expect((await bytes("conditional")).toString()).toBe("one");
  await put("conditional", "two", { IfMatch: ETag });
  expect((await bytes("conditional")).toString()).toBe("two");
});

test("ten clients create the same key at once, and one succeeds", async () => {
  const attempts = Array.from({ length: 10 }, (_, n) => put("raced", `${n}`, { IfNoneMatch: "*" }));
  const outcomes = await Promise.allSettled(attempts);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("keys are listed by prefix, in byte order, page by page", async () => {
  const keys = ["list/a", "list/a-b", "list/a/b", "list/b", "list/é", "list/日", "list/🎵"];
  for (const key of ["lisu", "lis", ...keys.toReversed()]) await put(key, key);
  const listed: unknown[] = [];
  let ContinuationToken: string | undefined;
  do {
    const page = await s3.send(
      new ListObjectsV2Command({ Bucket, Prefix: "list/", MaxKeys: 3, ContinuationToken }),
    );
    listed.push(...(page.Contents ?? []).map(({ Key }) => Key));
    ContinuationToken = page.NextContinuationToken;
    expect(page.IsTruncated).toBe(ContinuationToken !== undefined);
  } while (ContinuationToken);
  expect(listed).toEqual(keys);
  const after = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: "list/", StartAfter: "list/é" }));
  expect(after.KeyCount).toBe(2);
});

test("deleting is idempotent, for one key and for many", async () => {
  for (const key of ["gone/1", "gone/2 & <3>"]) await put(key, "x");
  for (const _ of [1, 2]) {
    const reply = await s3.send(new DeleteObjectCommand({ Bucket, Key: "gone/1" }));
    expect(reply.$metadata.httpStatusCode).toBe(204);
  }
  const Objects = [{ Key: "gone/1" }, { Key: "gone/2 & <3>" }];
  const { Deleted } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  expect(Deleted).toEqual(Objects);
  expect((await s3.send(new ListObjectsV2Command({ Bucket, Prefix: "gone/" }))).KeyCount).toBe(0);
});

test("a download that began before an overwrite returns the old bytes", async () => {
  const old = randomBytes(8_000_000);
  await put("replaced", old);
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: "replaced" }));
  await put("replaced", "new");
  expect(Buffer.from((await Body?.transformToByteArray()) ?? []).equals(old)).toBe(true);
  expect((await bytes("replaced")).toString()).toBe("new");
});

test("a signed request may override file name and type", async () => {
  await put("original", "x", { ContentType: "audio/wav" });
  const command = new GetObjectCommand({
    Bucket,
    Key: "original",
    ResponseContentDisposition: `attachment; filename="é.wav"`,
    ResponseContentType: "text/plain",
  });
  const url = await getSignedUrl(s3, command);
  const reply = await fetch(url);
  expect(reply.headers.get("content-type")).toBe("text/plain");
  expect(Buffer.from(reply.headers.get("content-disposition") ?? "", "latin1").toString()).toContain("é.wav");
  expect((await fetch(url.replace("text%2Fplain", "text%2Fhtml"))).status).toBe(403);
});

test("unknown clients, wrong keys and unknown buckets are refused", async () => {
  await put("private", "x");
  const anonymous = await fetch(`${store.url}/media/private`);
  expect(anonymous.status).toBe(403);
  expect(await anonymous.text()).toContain("<Code>AccessDenied</Code>");
  const read = new GetObjectCommand({ Bucket, Key: "private" });
  await fails(
    clientOf(store.url, { accessKeyId: "test-key", secretAccessKey: "guess" }).send(read),
    "SignatureDoesNotMatch",
    403,
  );
  await fails(
    clientOf(store.url, { accessKeyId: "other", secretAccessKey: "x" }).send(read),
    "InvalidAccessKeyId",
    403,
  );
  await fails(s3.send(new GetObjectCommand({ Bucket: "absent", Key: "x" })), "NoSuchBucket", 404);
  await s3.send(new HeadBucketCommand({ Bucket }));
});

test("unsupported operations are refused as such", () =>
  fails(s3.send(new ListObjectsV2Command({ Bucket, Delimiter: "/" })), "NotImplemented", 501));

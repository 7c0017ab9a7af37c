import { GetObjectCommand, PutObjectCommand, UploadPartCommand } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { afterAll, expect, test } from "vitest";
import { clientOf, ORIGIN, startObjectStore } from "./object-store-process.ts";

const store = await startObjectStore();
afterAll(() => store.stop());
const { s3 } = store;
const Bucket = "media";
const SIZE_BYTES = 1000;
const body = (size = SIZE_BYTES) => Buffer.alloc(size, "x");

/** Signed like real uploads: exact size, type and no overwriting. */
const signedPut = (Key: string, expiresIn = 60, more = {}) =>
  getSignedUrl(
    s3,
    new PutObjectCommand({
      Bucket,
      Key,
      ContentLength: SIZE_BYTES,
      ContentType: "audio/wav",
      IfNoneMatch: "*",
      ...more,
    }),
    { expiresIn, signableHeaders: new Set(["content-type"]) },
  );
const put = (url: string, size = SIZE_BYTES, headers = {}) =>
  fetch(url, {
    method: "PUT",
    body: body(size),
    headers: { "content-type": "audio/wav", "if-none-match": "*", ...headers },
  });
const code = async (reply: Response) => /<Code>(\w+)<\/Code>/.exec(await reply.text())?.[1];
const sizeOf = async (Key: string) => {
  const url = await getSignedUrl(s3, new GetObjectCommand({ Bucket, Key }));
  const reply = await fetch(url);
  return reply.ok ? (await reply.bytes()).length : undefined;
};

test("the signed bytes are accepted exactly once", async () => {
  const url = await signedPut("exact");
  expect((await put(url)).status).toBe(200);
  expect(await sizeOf("exact")).toBe(SIZE_BYTES);
  const again = await put(url);
  expect([again.status, await code(again)]).toEqual([412, "PreconditionFailed"]);
});

test("403: one byte fewer or more, another type, key or method stores nothing", async () => {
  const url = await signedPut("refused");
  const attempts = [
    put(url, SIZE_BYTES - 1),
    put(url, SIZE_BYTES + 1),
    put(url, SIZE_BYTES, { "content-type": "text/html" }),
    put(url, SIZE_BYTES, { "if-none-match": "" }),
    put(url.replace("/refused?", "/other?")),
    put(url.replace("/media/", "/open/")),
    put(`${url}&response-content-type=text/html`),
    put(url.replace("X-Amz-Expires=60", "X-Amz-Expires=6000")),
    put(url.replace(/(?<=X-Amz-Signature=)\w/, (first) => (first === "0" ? "1" : "0"))),
    put(url.replace("%2Fauto%2F", "%2Fus-east-1%2F")),
    put(url.replace(/X-Amz-Date=\d{8}/, "X-Amz-Date=20200101")),
    put(url, SIZE_BYTES, { "x-amz-meta-unsigned": "x" }),
    fetch(url),
    fetch(url, { method: "DELETE" }),
  ];
  for (const reply of await Promise.all(attempts)) expect([400, 403]).toContain(reply.status);
  const statuses = (await Promise.all(attempts)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 400)).toHaveLength(1);
  for (const key of ["refused", "other"]) expect(await sizeOf(key)).toBeUndefined();
});

test("a presigned URL expires", async () => {
  const past = new Date(Date.now() - 61_000);
  const url = await getSignedUrl(s3, new GetObjectCommand({ Bucket, Key: "exact" }), {
    expiresIn: 60,
    signingDate: past,
  });
  const reply = await fetch(url);
  expect([reply.status, await code(reply)]).toEqual([403, "AccessDenied"]);
});

test("a URL from the future, or signed with another key, is refused", async () => {
  const command = new GetObjectCommand({ Bucket, Key: "exact" });
  const future = await getSignedUrl(s3, command, { signingDate: new Date(Date.now() + 20 * 60_000) });
  expect((await fetch(future)).status).toBe(403);
  const stranger = clientOf(store.url, { accessKeyId: "test-key", secretAccessKey: "guess" });
  expect(await code(await fetch(await getSignedUrl(stranger, command)))).toBe("SignatureDoesNotMatch");
});

test("a part's URL accepts only its own part of its own upload", async () => {
  const part = { Bucket, Key: "x", UploadId: "u", PartNumber: 1, ContentLength: SIZE_BYTES };
  const url = await getSignedUrl(s3, new UploadPartCommand(part));
  expect(await code(await put(url))).toBe("NoSuchUpload");
  expect(await code(await put(url.replace("partNumber=1", "partNumber=2")))).toBe("SignatureDoesNotMatch");
});

test("a browser from an allowed origin may send a part and read its ETag", async () => {
  const preflight = await fetch(await signedPut("cors"), {
    method: "OPTIONS",
    headers: {
      origin: ORIGIN,
      "access-control-request-method": "PUT",
      "access-control-request-headers": "content-type",
    },
  });
  expect(preflight.status).toBe(204);
  expect(Object.fromEntries(preflight.headers)).toMatchObject({
    "access-control-allow-origin": ORIGIN,
    "access-control-allow-methods": "PUT, GET",
    "access-control-allow-headers": "content-type",
    "access-control-max-age": "3600",
  });
  const sent = await put(await signedPut("cors"), SIZE_BYTES, { origin: ORIGIN });
  expect(sent.headers.get("access-control-allow-origin")).toBe(ORIGIN);
  expect(sent.headers.get("access-control-expose-headers")).toBe("ETag");
  expect(sent.headers.get("vary")).toBe("Origin");
});

test("errors carry CORS headers too, so that a page can read them", async () => {
  for (const path of ["/media/x", "/media/x?X-Amz-Signature=0", "/media/x?acl"]) {
    const reply = await fetch(store.url + path, { headers: { origin: ORIGIN } });
    expect(reply.ok).toBe(false);
    expect(reply.headers.get("access-control-allow-origin")).toBe(ORIGIN);
  }
});

test("other origins, methods and headers are not allowed", async () => {
  const preflight = (origin: string, method: string, headers: string, bucket = "media") =>
    fetch(`${store.url}/${bucket}/x`, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": method, "access-control-request-headers": headers },
    });
  for (const refused of [
    preflight("http://evil.example", "PUT", ""),
    preflight(ORIGIN, "DELETE", ""),
    preflight(ORIGIN, "PUT", "x-other"),
    preflight(ORIGIN, "PUT", "", "absent"),
  ]) {
    expect((await refused).status).toBe(403);
    expect((await refused).headers.has("access-control-allow-origin")).toBe(false);
  }
  expect(
    (await preflight("http://any.example", "GET", "", "open")).headers.get("access-control-allow-origin"),
  ).toBe("*");
  const read = await fetch(`${store.url}/media/x`, { headers: { origin: "http://evil.example" } });
  expect(read.headers.has("access-control-allow-origin")).toBe(false);
});

test("the store reads a refused body to its end, so that the reply arrives", async () => {
  const reply = await fetch(`${store.url}/media/x`, { method: "PUT", body: body(20_000_000) });
  expect([reply.status, await code(reply)]).toEqual([403, "AccessDenied"]);
});

import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import type { Upload } from "../../../functions/api/uploads/representation.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { invariantsHoldAfterwards } from "../../support/check-invariants.ts";
import { createUser, type Person } from "../../support/people.ts";
import { shortWav } from "../../support/tracks.ts";
import { causes, complete, giveUp, MIB, open, row, storedBytes, storedSize } from "./uploads.support.ts";

invariantsHoldAfterwards();

let ana: Person;

beforeAll(async () => {
  ana = await createUser();
});

interface Params {
  method: string;
  url: string;
  fields: { key: string };
  headers: Record<string, string>;
}

const paramsOf = async ({ companion_url }: Upload) =>
  (await api.get<Params>(`${companion_url}/s3/params?filename=a.wav&type=audio%2Fwav&metadata%5Bname%5D=a`))
    .body;

const post = (url: string, fields: Record<string, string>, file?: Blob, name = "file") => {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  if (file) form.set(name, file);
  return api.post<ErrorReply>(url, { raw: form });
};

describe("a file that Uppy sends whole", () => {
  test("completes the upload, and sending it again changes nothing", async () => {
    const file = shortWav();
    const upload = await open(ana, file.size);
    const { url, fields } = await paramsOf(upload);
    const first = await post(url, fields, file);
    expect([first.status, first.body]).toEqual([
      201,
      { location: `${first.headers.get("Location")}`, key: fields.key, bucket: "uploads" },
    ]);
    expect(first.headers.get("ETag")).toBeTruthy();
    expect((await post(url, fields, new Blob(["x".repeat(file.size)]))).status).toBe(201);
    const { key, status } = await row(upload);
    expect([status, await storedBytes(key)]).toEqual(["ready", Buffer.from(await file.arrayBuffer())]);
    expect((await complete(ana, upload, [])).body.status).toBe("ready");
    const json = { track: { title: "Whole", upload_id: upload.id } };
    expect((await api.as(ana).post("/tracks", { json })).status).toBe(201);
    expect((await post(url, fields, file)).status).toBe(404);
  });

  test("is read to its end when it is sent again: an early reply would cut off a client that still sends", async () => {
    const file = shortWav();
    const upload = await open(ana, file.size);
    const { url, fields } = await paramsOf(upload);
    await post(url, fields, file);
    const form = new FormData();
    form.set("file", file);
    const whole = new Response(form);
    const headers = { "Content-Type": whole.headers.get("Content-Type") ?? "" };
    const bytes = new Uint8Array(await whole.arrayBuffer());
    let isSent = false;
    async function* slowly() {
      yield bytes.subarray(0, 1_000);
      await sleep(200);
      isSent = true;
      yield bytes.subarray(1_000);
    }
    const sending = { method: "POST", headers, body: slowly(), duplex: "half" };
    const reply = await fetch(url, sending as unknown as RequestInit);
    expect([reply.status, isSent]).toEqual([201, true]);
  });

  test("may span several of storage's parts", async () => {
    const file = new Blob([new Uint8Array(16 * MIB).fill(1), new Uint8Array(16 * MIB + 5).fill(2)]);
    const upload = await open(ana, file.size);
    const { url, fields } = await paramsOf(upload);
    expect((await post(url, fields, file)).status).toBe(201);
    expect(await storedSize((await row(upload)).key)).toBe(file.size);
  });

  test.for<[string, (url: string, fields: Params["fields"]) => ReturnType<typeof post>, number, string]>([
    ["larger", (url, fields) => post(url, fields, new Blob(["x".repeat(101)])), 413, "100 bytes at most"],
    ["smaller", (url, fields) => post(url, fields, new Blob(["x".repeat(99)])), 422, "has 99 bytes"],
    ["empty", (url, fields) => post(url, fields, new Blob([])), 422, "has 0 bytes"],
    ["missing", (url, fields) => post(url, fields), 422, "is missing"],
    ["in another field", (url, fields) => post(url, fields, new Blob(["x"]), "f"), 422, "is missing"],
    ["no form", (url) => api.post<ErrorReply>(url, { raw: "x".repeat(100) }), 400, "boundary"],
  ])("is refused if it is %s, and the right one still works", async ([, send, status, text]) => {
    const upload = await open(ana, 100);
    const { url, fields } = await paramsOf(upload);
    const refused = await send(url, fields);
    expect([refused.status, causes(refused)]).toEqual([status, expect.stringContaining(text)]);
    expect(await storedSize((await row(upload)).key)).toBeUndefined();
    expect((await post(url, fields, new Blob(["y".repeat(100)]))).status).toBe(201);
    expect(`${await storedBytes((await row(upload)).key)}`).toBe("y".repeat(100));
  });

  test("is refused after the upload was aborted, and at another upload's address", async () => {
    const [gone, other] = [await open(ana, 100), await open(ana, 100)];
    const { url, fields } = await paramsOf(gone);
    await giveUp(ana, gone);
    expect((await post(url, fields, new Blob(["x".repeat(100)]))).status).toBe(409);
    expect((await api.get(`${gone.companion_url}/s3/params`)).status).toBe(409);
    expect((await post(url.replace(/companion\/./, "companion/Z"), fields)).status).toBe(404);
    expect((await row(other)).status).toBe("open");
    await giveUp(ana, other);
  });
});

describe("a file that is put by the method and headers of the reply", () => {
  const put = ({ method, url, headers }: Params, body: BodyInit) => fetch(url, { method, headers, body });

  test("completes the upload, and putting it again changes nothing", async () => {
    const file = shortWav();
    const upload = await open(ana, file.size);
    const params = await paramsOf(upload);
    expect(params).toEqual({
      method: "PUT",
      url: expect.stringContaining("/s3/"),
      fields: { key: expect.any(String) },
      headers: { "Content-Type": "audio/wav" },
    });
    const first = await put(params, file);
    const location = first.headers.get("Location");
    expect([first.status, await first.json()]).toEqual([
      200,
      { location, key: params.fields.key, bucket: "uploads" },
    ]);
    expect(first.headers.get("ETag")).toBeTruthy();
    expect((await put(params, "x".repeat(file.size))).status).toBe(200);
    const { key, status } = await row(upload);
    expect([status, await storedBytes(key)]).toEqual(["ready", Buffer.from(await file.arrayBuffer())]);
    const json = { track: { title: "Put", upload_id: upload.id } };
    expect((await api.as(ana).post("/tracks", { json })).status).toBe(201);
    expect((await put(params, file)).status).toBe(404);
  });

  test.for([
    ["larger", 101, 413],
    ["smaller", 99, 422],
    ["empty", 0, 422],
  ] as const)("is refused if it is %s, and the right one still works", async ([, size, status]) => {
    const upload = await open(ana, 100);
    const params = await paramsOf(upload);
    expect((await put(params, "x".repeat(size))).status).toBe(status);
    expect(await storedSize((await row(upload)).key)).toBeUndefined();
    expect((await put(params, "y".repeat(100))).status).toBe(200);
    expect(`${await storedBytes((await row(upload)).key)}`).toBe("y".repeat(100));
  });

  test("may span several of storage's parts", async () => {
    const file = new Blob([new Uint8Array(16 * MIB).fill(1), new Uint8Array(16 * MIB + 5).fill(2)]);
    const upload = await open(ana, file.size);
    expect((await put(await paramsOf(upload), file)).status).toBe(200);
    expect(await storedSize((await row(upload)).key)).toBe(file.size);
  });
});

import { request as openRequest } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  causes,
  complete,
  giveUp,
  MIB,
  open,
  partUrl,
  put,
  row,
  type Stored,
  storedBy,
  storedBytes,
} from "../api/uploads/uploads.support.ts";
import { swept } from "../encoding/sweep.support.ts";
import { api, type ErrorReply } from "../support/api.ts";
import { brokenInvariants } from "../support/check-invariants.ts";
import { askDuring } from "../support/open-transaction.ts";
import { createUser, type Person } from "../support/people.ts";
import { casesOf } from "../support/repeats.ts";
import { sql, stack } from "../support/stack.ts";
import { createReadyUpload, shortWav, words } from "../support/tracks.ts";

/** A form with one file, as a browser sends it. */
async function formWith(file: Blob) {
  const form = new FormData();
  form.set("track[title]", "A song");
  form.set("track[asset_data]", file, "song.wav");
  const request = new Request("http://form", { method: "POST", body: form });
  return {
    type: request.headers.get("Content-Type") ?? "",
    bytes: Buffer.from(await request.arrayBuffer()),
  };
}

type Form = Awaited<ReturnType<typeof formWith>>;

const sending = (who: Person, { type, bytes }: Form, headers: Record<string, string> = {}) =>
  openRequest(`${stack.urls.api}/tracks`, {
    method: "POST",
    headers: {
      Authorization: `OAuth ${who.token}`,
      "Content-Type": type,
      "Content-Length": bytes.length,
      ...headers,
    },
  }).on("error", () => {});

const tracksOf = async (who: Person) => (await api.as(who).get<{ id: number }[]>("/me/tracks")).body;

const dueNow = (who: Person) =>
  sql("update object_garbage set due_at = now() where starts_with(prefix, $1)", [`in/${who.id}/`]);

test("a client that disconnects halfway through a form leaves no track, and its parts are swept (F24)", async () => {
  const ana = await createUser();
  const form = await formWith(new Blob([new Uint8Array(40 * MIB)]));
  const sent = sending(ana, form);
  sent.write(form.bytes.subarray(0, form.bytes.length / 2));
  // Storage holds a part of it.
  await expect.poll(async () => (await storedBy(ana)).open).toBe(1);
  sent.destroy();
  await swept(async () => {
    await dueNow(ana);
    return storedBy(ana);
  }).toEqual({ objects: [], open: 0 });
  expect(await tracksOf(ana)).toEqual([]);
  expect(await brokenInvariants([ana.id])).toEqual([]);
});

test("a client that disconnects halfway through a part must send it again (F24)", async () => {
  const ana = await createUser();
  const upload = await open(ana, 4 * MIB);
  const url = await partUrl(ana, upload);
  const half = openRequest(url, { method: "PUT", headers: { "Content-Length": 4 * MIB } }).on(
    "error",
    () => {},
  );
  await new Promise((flushed) => half.write(Buffer.alloc(2 * MIB, 1), flushed));
  half.destroy();
  const { body } = await api.as(ana).get<Stored>(`/uploads/${upload.id}`);
  expect([body.status, body.parts]).toEqual(["open", []]);
  const { etag } = await put(url, Buffer.alloc(4 * MIB, 2));
  expect((await complete(ana, upload, [{ number: 1, etag }])).body.status).toBe("ready");
  expect((await storedBytes((await row(upload)).key)).equals(Buffer.alloc(4 * MIB, 2))).toBe(true);
  await giveUp(ana, upload);
});

test.for(casesOf(3, [0, 20, 150, 5, 60]))(
  "a client that disconnects %i ms after its last byte has one findable track, or nothing in storage (F25)",
  async (ms) => {
    const ana = await createUser();
    const form = await formWith(shortWav(1));
    const sent = sending(ana, form);
    const hungUp = new Promise((closed) => sent.once("close", closed));
    await new Promise<void>((flushed) => sent.end(form.bytes, flushed));
    await sleep(ms);
    sent.socket?.resetAndDestroy();
    await hungUp;
    // Waits until the Worker has finished the abandoned request, in either way.
    await sleep(4_000);
    await swept(async () => {
      await dueNow(ana);
      const { objects, open: left } = await storedBy(ana);
      return { left, orphans: objects.length - (await tracksOf(ana)).length };
    }).toEqual({ left: 0, orphans: 0 });
    expect((await tracksOf(ana)).length).toBeLessThanOrEqual(1);
    expect(await brokenInvariants([ana.id])).toEqual([]);
  },
);

test("a form repeated under the same Idempotency-Key yields one track (F25)", async () => {
  const ana = await createUser();
  const form = await formWith(shortWav(1));
  const key = { "Idempotency-Key": crypto.randomUUID() };
  const sent = sending(ana, form, key);
  const hungUp = new Promise((closed) => sent.once("close", closed));
  await new Promise<void>((flushed) => sent.end(form.bytes, flushed));
  sent.socket?.resetAndDestroy();
  await hungUp;
  const again = () =>
    api.as(ana).post<{ id: number }>("/tracks", {
      raw: new Uint8Array(form.bytes),
      headers: { "Content-Type": form.type, ...key },
    });
  // 409 while the first is still running.
  await expect.poll(async () => (await again()).status).toBe(201);
  const { body } = await again();
  await sleep(2_000);
  expect((await tracksOf(ana)).map(({ id }) => id)).toEqual([body.id]);
});

test("one of two writers of a part wins completely, and the other's ETag is refused (F28)", async () => {
  const ana = await createUser();
  const upload = await open(ana, 8 * MIB);
  const url = await partUrl(ana, upload);
  const writers = [1, 2].map((byte) => Buffer.alloc(8 * MIB, byte));
  const receipts = await Promise.all(writers.map((bytes) => put(url, new Uint8Array(bytes))));
  expect(receipts.map(({ status }) => status)).toEqual([200, 200]);
  const { body } = await api.as(ana).get<Stored>(`/uploads/${upload.id}`);
  const [storedPart] = body.parts;
  const winner = receipts.findIndex(({ etag }) => etag === storedPart?.etag);
  expect([body.parts.length, winner]).toEqual([1, expect.toSatisfy((index: number) => index >= 0)]);
  const loser = 1 - winner;

  const late = await complete<ErrorReply>(ana, upload, [{ number: 1, etag: receipts[loser]?.etag ?? "" }]);
  expect([late.status, causes(late)]).toEqual([409, "Parts do not match the stored ones: 1"]);
  const completion = await complete(ana, upload, [{ number: 1, etag: receipts[winner]?.etag ?? "" }]);
  expect([completion.status, completion.body.status]).toEqual([200, "ready"]);
  const bytes = await storedBytes((await row(upload)).key);
  expect(bytes.equals(writers[winner] ?? Buffer.alloc(0))).toBe(true);
  // A later writer changes nothing.
  expect((await put(url, new Uint8Array(writers[loser] ?? []))).status).toBe(404);
  expect((await storedBytes((await row(upload)).key)).equals(bytes)).toBe(true);
  await giveUp(ana, upload);
});

test("two clients that complete an upload and create tracks at once get one track (F28)", async () => {
  const ana = await createUser();
  const wav = await shortWav(1).arrayBuffer();
  const upload = await open(ana, wav.byteLength);
  const { etag } = await put(await partUrl(ana, upload), wav);
  const both = await Promise.all([1, 2].map(() => complete(ana, upload, [{ number: 1, etag }])));
  expect(both.map(({ status, body }) => [status, body.status])).toEqual([
    [200, "ready"],
    [200, "ready"],
  ]);
  const json = { track: { title: "A song", upload_id: upload.id } };
  const made = await Promise.all([1, 2].map(() => api.as(ana).post<{ id: number }>("/tracks", { json })));
  expect(made.map(({ status }) => status).sort()).toEqual([201, 201]);
  expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
  expect(await tracksOf(ana)).toHaveLength(1);
});

test("an upload that its owner's suspension ends at the same moment becomes no track", async () => {
  const ana = await createUser();
  const { id } = await createReadyUpload(ana, words());
  const json = { track: { title: "A song", upload_id: id } };
  const { status, body } = await askDuring(
    "select from uploads where id = $1 for update",
    [id],
    () => api.as(ana).post<ErrorReply>("/tracks", { json }),
    ["update uploads set expires_at = clock_timestamp() where id = $1", [id]],
  );
  expect([status, causes({ body })]).toEqual([422, "track[upload_id]: the upload is expired, not ready"]);
  expect(await tracksOf(ana)).toEqual([]);
});

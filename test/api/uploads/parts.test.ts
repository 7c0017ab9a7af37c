import { beforeAll, describe, expect, test } from "vitest";
import type { Upload } from "../../../functions/api/uploads/representation.ts";
import { swept } from "../../encoding/sweep.support.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { invariantsHoldAfterwards } from "../../support/check-invariants.ts";
import { createUser, type Person } from "../../support/people.ts";
import { runCron, sql } from "../../support/stack.ts";
import { createReadyUpload, uploadAllParts, words } from "../../support/tracks.ts";
import {
  causes,
  complete,
  giveUp,
  isOpenInStorage,
  MIB,
  open,
  partUrl,
  put,
  row,
  type Stored,
  storedSize,
  TWO_PARTS,
} from "./uploads.support.ts";

invariantsHoldAfterwards();

let ana: Person;
let ben: Person;

beforeAll(async () => {
  [ana, ben] = await Promise.all([createUser(), createUser()]);
});

describe("parts", () => {
  test("a URL accepts exactly one part's bytes, by PUT, until it expires (X62)", async () => {
    const upload = await open(ana, 100);
    const url = await partUrl(ana, upload);
    const other = await open(ana, 100);
    const { key, storage } = await row(upload);
    const { key: otherKey, storage: otherStorage } = await row(other);
    const changed = (name: string, value: string) => {
      const address = new URL(url);
      address.searchParams.set(name, value);
      return address.href;
    };
    const lapsed = changed("X-Amz-Date", "20200101T000000Z");
    const right = "x".repeat(100);
    const attempts: Record<string, Promise<{ status: number }>> = {
      shorter: put(url, "x".repeat(99)),
      longer: put(url, "x".repeat(101)),
      empty: put(url, ""),
      "another key": put(url.replace(key, otherKey), right),
      "another upload": put(
        url.replace(encodeURIComponent(storage), encodeURIComponent(otherStorage)),
        right,
      ),
      "another part": put(changed("partNumber", "2"), right),
      "a longer life": put(changed("X-Amz-Expires", "604800"), right),
      "another day": put(lapsed, right),
      "another signature": put(changed("X-Amz-Signature", "0".repeat(64)), right),
      POST: put(url, right, "POST"),
      "no signature": put(url.split("?")[0] ?? "", right),
    };
    for (const [name, attempt] of Object.entries(attempts))
      expect([name, (await attempt).status]).toEqual([
        name,
        expect.toSatisfy((status: number) => status >= 400 && status < 500),
      ]);
    expect((await fetch(url)).status).toBe(403);
    expect((await fetch(url, { method: "DELETE" })).status).toBe(403);
    expect((await api.as(ana).get<Stored>(`/uploads/${upload.id}`)).body.parts).toEqual([]);

    const first = await put(url, right);
    expect(first.status).toBe(200);
    expect((await put(url, "y".repeat(101))).status).toBe(403);
    const { body } = await api.as(ana).get<Stored>(`/uploads/${upload.id}`);
    expect(body.parts).toEqual([{ number: 1, size: 100, etag: first.etag }]);
    expect(new URL(url).searchParams.get("X-Amz-Expires")).toBe("3600");
    await giveUp(ana, upload, other);
  });

  test("after a pause the session lists its stored parts and continues", async () => {
    const upload = await open(ana, TWO_PARTS.size);
    const last = await put(await partUrl(ana, upload, 2), TWO_PARTS.slice(16 * MIB));
    const [listed] = (await api.as(ana).get<Upload[]>("/uploads?status=open")).body;
    expect(listed?.id).toBe(upload.id);
    const resumed = await api.as(ana).get<Stored>(`/uploads/${upload.id}`);
    expect(resumed.body.parts).toEqual([{ number: 2, size: 1000, etag: last.etag }]);
    const early = await complete<ErrorReply>(ana, upload, [{ number: 2, etag: last.etag }]);
    expect([early.status, causes(early)]).toEqual([409, "Parts are missing: 1"]);
    const pretended = await complete<ErrorReply>(ana, upload, [
      { number: 1, etag: "0".repeat(32) },
      { number: 2, etag: last.etag },
    ]);
    expect([pretended.status, causes(pretended)]).toEqual([409, "Parts are missing: 1"]);
    const first = await put(await partUrl(ana, upload, 1), TWO_PARTS.slice(0, 16 * MIB));
    const parts = [
      { number: 2, etag: last.etag },
      { number: 1, etag: first.etag.replaceAll('"', "") },
    ];
    const completion = await complete(ana, upload, parts);
    expect([completion.status, completion.body.status]).toEqual([200, "ready"]);
    expect(await storedSize((await row(upload)).key)).toBe(TWO_PARTS.size);
  });

  test.for<[string, unknown, number]>([
    ["none", [], 422],
    ["part 0", [0], 422],
    ["more than a hundred", Array.from({ length: 101 }, (_, n) => n + 1), 422],
    ["part 2 of 1", [2], 422],
    ["a part in words", ["1"], 422],
    ["no list", "1", 422],
    ["nothing", undefined, 400],
  ])("URLs for %s are refused", async ([, numbers, status]) => {
    const upload = await open(ben);
    expect((await api.as(ben).post(`/uploads/${upload.id}/parts`, { json: { numbers } })).status).toBe(
      status,
    );
    await giveUp(ben, upload);
  });
});

describe("giving up", () => {
  test("deletes the parts and is idempotent", async () => {
    const { upload, parts } = await uploadAllParts(ana, words(), "a.wav");
    const { key } = await row(upload);
    expect(await isOpenInStorage(key)).toBe(true);
    for (let n = 0; n < 2; n++)
      expect((await api.as(ana).delete(`/uploads/${upload.id}`)).body).toEqual({ status: "200 - OK" });
    expect(await isOpenInStorage(key)).toBe(false);
    expect((await api.as(ana).get<Stored>(`/uploads/${upload.id}`)).body).toMatchObject({
      status: "aborted",
      parts: [],
    });
    const late = await complete<ErrorReply>(ana, upload, parts);
    expect([late.status, causes(late)]).toEqual([409, "The upload is aborted"]);
  });

  test("deletes a ready file, but not one that became a track", async () => {
    const ready = await createReadyUpload(ana, words());
    const { key } = await row(ready);
    expect(await storedSize(key)).toBe(ready.size);
    await giveUp(ana, ready);
    expect(await storedSize(key)).toBeUndefined();
    const used = await createReadyUpload(ana, words());
    await api.as(ana).post("/tracks", { json: { track: { title: "Kept", upload_id: used.id } } });
    expect((await api.as(ana).delete(`/uploads/${used.id}`)).status).toBe(409);
    expect(await storedSize((await row(used)).key)).toBe(used.size);
    expect((await api.as(ana).get<Stored>(`/uploads/${used.id}`)).body).toMatchObject({
      status: "used",
      track_id: expect.any(Number),
    });
    expect((await complete(ana, used, [])).body.status).toBe("used");
  });
});

describe("an expired session", () => {
  const expire = ({ id }: Upload) =>
    sql("update uploads set expires_at = now() - interval '1 s' where id = $1", [id]);

  test("is expired at once, swept or not (F27)", async () => {
    const { upload, parts } = await uploadAllParts(ana, words(), "a.wav");
    await expire(upload);
    expect((await api.as(ana).get<Stored>(`/uploads/${upload.id}`)).body).toMatchObject({
      status: "expired",
      parts: [],
    });
    expect((await api.as(ana).get<Upload[]>("/uploads?status=expired")).body.map(({ id }) => id)).toContain(
      upload.id,
    );
    const late = await complete<ErrorReply>(ana, upload, parts);
    expect([late.status, causes(late)]).toEqual([409, "The upload is expired"]);
    expect((await api.as(ana).post(`/uploads/${upload.id}/parts`, { json: { numbers: [1] } })).status).toBe(
      409,
    );
    const ready = await createReadyUpload(ana, words());
    await expire(ready);
    const track = await api
      .as(ana)
      .post<ErrorReply>("/tracks", { json: { track: { title: "x", upload_id: ready.id } } });
    expect([track.status, causes(track)]).toEqual([
      422,
      "track[upload_id]: the upload is expired, not ready",
    ]);
  });

  test("is swept with its parts, like every unreferenced object (F29)", async () => {
    const { upload } = await uploadAllParts(ana, words(), "a.wav");
    const ready = await createReadyUpload(ana, words());
    const [{ key }, { key: readyKey }] = [await row(upload), await row(ready)];
    await Promise.all([expire(upload), expire(ready)]);
    await sql("update object_garbage set due_at = now() where prefix = $1", [readyKey]);
    expect((await runCron("*/5 * * * *")).outcome).toBe("ok");
    await swept(async () => [(await row(upload)).status, (await row(ready)).status]).toEqual([
      "expired",
      "expired",
    ]);
    expect(await isOpenInStorage(key)).toBe(false);
    await swept(() => sql("select 1 from object_garbage where prefix = $1", [readyKey])).toEqual([]);
    expect(await storedSize(readyKey)).toBeUndefined();
  });

  test("that became a track is never garbage", async () => {
    const upload = await createReadyUpload(ana, words());
    await api.as(ana).post("/tracks", { json: { track: { title: "Kept", upload_id: upload.id } } });
    await expire(upload);
    const { key } = await row(upload);
    expect(await sql("select 1 from object_garbage where prefix = $1", [key])).toEqual([]);
    await runCron("*/5 * * * *");
    expect([(await row(upload)).status, await storedSize(key)]).toEqual(["used", upload.size]);
  });
});

import { CompleteMultipartUploadCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, test } from "vitest";
import type { SentPart } from "../../../functions/api/uploads/complete.ts";
import { MAX_UPLOAD_BYTES } from "../../../functions/api/uploads/limits.ts";
import type { Upload } from "../../../functions/api/uploads/representation.ts";
import { UPLOADS_BUCKET } from "../../../workers/local/worker/bindings.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { invariantsHoldAfterwards } from "../../support/check-invariants.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { changeTable, sql, stack } from "../../support/stack.ts";
import { s3, uploadAllParts, words } from "../../support/tracks.ts";
import { asked, causes, complete, giveUp, MIB, open, partUrl, row, type Stored } from "./uploads.support.ts";

invariantsHoldAfterwards();

let ana: Person;
let ben: Person;

beforeAll(async () => {
  [ana, ben] = await Promise.all([createUser(), createUser()]);
});

describe("opening a session", () => {
  test("returns 201 with everything the client needs", async () => {
    const reply = await api
      .as(ana)
      .post<Upload>("/uploads", { json: asked(20 * MIB, { last_modified: 1_700_000_000_000 }) });
    expect(reply.status).toBe(201);
    expect(reply.headers.get("Location")).toBe(`${stack.urls.api}/uploads/${reply.body.id}`);
    expect(reply.body).toEqual({
      id: expect.any(Number),
      status: "open",
      filename: "song.wav",
      size: 20 * MIB,
      type: "audio/wav",
      last_modified: 1_700_000_000_000,
      part_size: 16 * MIB,
      part_count: 2,
      created_at: expect.stringMatching(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d \+0000$/),
      expires_at: expect.stringMatching(/ \+0000$/),
      companion_url: expect.stringContaining(`${stack.urls.api}/uploads/companion/`),
      track_id: null,
      error: null,
    });
    const lifetime = Date.parse(reply.body.expires_at) - Date.parse(reply.body.created_at);
    expect(lifetime / 3_600_000).toBeCloseTo(24, 2);
    await giveUp(ana, reply.body);
  });

  test.for<[number, number, number]>([
    [1, 16 * MIB, 1],
    [16 * MIB, 16 * MIB, 1],
    [16 * MIB + 1, 16 * MIB, 2],
    [MAX_UPLOAD_BYTES - 1, 16 * MIB, 256],
    [MAX_UPLOAD_BYTES, 16 * MIB, 256],
  ])("splits %i bytes into parts of %i: %i of them", async ([size, partSize, partCount]) => {
    const upload = await open(ana, size);
    expect([upload.part_size, upload.part_count]).toEqual([partSize, partCount]);
    if (size === MAX_UPLOAD_BYTES) {
      expect(await partUrl(ana, upload, 256)).toContain("partNumber=256");
      const beyond = await api
        .as(ana)
        .post<ErrorReply>(`/uploads/${upload.id}/parts`, { json: { numbers: [257] } });
      expect([beyond.status, causes(beyond)]).toEqual([422, expect.stringContaining("257")]);
    }
    await giveUp(ana, upload);
  });

  test.each(["video/3gpp", "audio/3gpp", "video/quicktime", "audio/amr-wb"])(
    "takes what phones record, which browsers call %s",
    async (type) => {
      const reply = await api.as(ana).post<Upload>("/uploads", { json: asked(10, { type }) });
      expect([reply.status, reply.body.type]).toEqual([201, type]);
      await giveUp(ana, reply.body);
    },
  );

  test.for<[string, unknown, number, string]>([
    ["an empty file (X58)", asked(0), 422, "size"],
    ["4 GiB and a byte (X58)", asked(MAX_UPLOAD_BYTES + 1), 413, "size"],
    ["the largest number there is", asked(Number.MAX_SAFE_INTEGER), 413, "size"],
    ["an image", asked(10, { type: "image/png" }), 415, "type: must be an audio type, such as audio/flac"],
    ["a page", asked(10, { type: "text/html" }), 415, "type"],
    ["no type at all", asked(10, { type: "" }), 415, "type"],
    ["a type with more behind it", asked(10, { type: "audio/wav x=1" }), 415, "type"],
    ["a type that no header can hold", asked(10, { type: "audio/wav; x=é" }), 415, "type"],
    ["no name", { size: 10, type: "audio/wav" }, 400, "filename"],
    ["an empty name", asked(10, { filename: " " }), 422, "filename"],
    ["a long name", asked(10, { filename: "x".repeat(256) }), 422, "filename"],
    ["an impossible date", asked(10, { last_modified: -1 }), 422, "last_modified"],
  ])("refuses %s and names the field", async ([, json, status, field]) => {
    const reply = await api.as(ana).post<ErrorReply>("/uploads", { json });
    expect([reply.status, causes(reply)]).toEqual([status, expect.stringMatching(new RegExp(`^${field}`))]);
  });

  test("leaves nothing of a refused session", async () => {
    expect((await api.as(ana).get("/uploads?status=open")).body).toEqual([]);
  });

  test("allows exactly five open ones, even of twenty at once (X65)", async () => {
    const cleo = await createUser();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => api.as(cleo).post<Upload>("/uploads", { json: asked() })),
    );
    const opened = replies.filter(({ status }) => status === 201).map(({ body }) => body);
    const refused = replies.filter(({ status }) => status === 429);
    expect([opened.length, refused.length]).toEqual([5, 15]);
    for (const { headers } of refused) expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
    expect((await api.as(cleo).get<Upload[]>("/uploads?status=open")).body).toHaveLength(5);
    // A session that ended in any way frees its place.
    await giveUp(cleo, opened[0] as Upload);
    expect((await api.as(cleo).post("/uploads", { json: asked() })).status).toBe(201);
    await sql("update uploads set expires_at = now() where id = $1", [opened[1]?.id]);
    expect((await api.as(cleo).post("/uploads", { json: asked() })).status).toBe(201);
    expect((await api.as(cleo).post("/uploads", { json: asked() })).status).toBe(429);
    // Another user has five of their own.
    const upload = await open(ana);
    await giveUp(ana, upload);
  });

  test("does not count one that failed midway (I14)", async () => {
    const dora = await createUser();
    await sql(`create function test_refuse() returns trigger language plpgsql as $$ begin
      if new.user_id = ${dora.id} and new.storage_upload_id is not null then
        raise exception 'out of order' using errcode = '57P03';
      end if;
      return new; end $$`);
    await changeTable(
      "create trigger test_refuse before update on uploads for each row execute function test_refuse()",
    );
    const begin = () =>
      fetch(`${stack.urls.api}/uploads`, {
        method: "POST",
        headers: { Authorization: `OAuth ${dora.token}`, "Content-Type": "application/json" },
        body: JSON.stringify(asked()),
      });
    try {
      for (let n = 0; n < 6; n++) expect((await begin()).status).toBe(503);
    } finally {
      await changeTable("drop trigger test_refuse on uploads; drop function test_refuse()");
    }
    expect((await begin()).status).toBe(201);
  });

  test("is refused to an app's own token, and another user's session is 404", async () => {
    expect((await api.as(await createAppToken()).post("/uploads", { json: asked() })).status).toBe(401);
    const upload = await open(ana);
    const replies = await Promise.all([
      api.as(ben).get<ErrorReply>(`/uploads/${upload.id}`),
      api.as(ben).post<ErrorReply>(`/uploads/${upload.id}/parts`, { json: { numbers: [1] } }),
      api.as(ben).post<ErrorReply>(`/uploads/${upload.id}/complete`, { json: { parts: [] } }),
      api.as(ben).delete<ErrorReply>(`/uploads/${upload.id}`),
      api.as(ben).get<ErrorReply>(`/uploads/${2 ** 52}`),
    ]);
    for (const { status, body } of replies)
      expect([status, body.errors]).toEqual([404, [{ error_message: "Upload not found" }]]);
    expect((await api.as(ben).get("/uploads")).body).toEqual([]);
    expect((await row(upload)).status).toBe("open");
    await giveUp(ana, upload);
  });
});

/** Joins the parts behind the service's back. Returns the object's key. */
async function completeInStorage(upload: Upload, parts: SentPart[]): Promise<string> {
  const { key, storage } = await row(upload);
  const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }));
  const object = { Bucket: UPLOADS_BUCKET, Key: key, UploadId: storage };
  await s3.send(new CompleteMultipartUploadCommand({ ...object, MultipartUpload: { Parts } }));
  return key;
}

describe("completing", () => {
  test("returns the same reply when repeated, even twenty times at once (F26)", async () => {
    const { upload, parts } = await uploadAllParts(ana, words(), "a.wav");
    const replies = await Promise.all(Array.from({ length: 20 }, () => complete(ana, upload, parts)));
    const expected = { ...upload, status: "ready" };
    for (const { status, body } of replies) expect([status, body]).toEqual([200, expected]);
    expect((await complete(ana, upload, parts)).body).toEqual(expected);
    expect((await complete(ana, upload, [])).body).toEqual(expected);
    const urls = await api
      .as(ana)
      .post<ErrorReply>(`/uploads/${upload.id}/parts`, { json: { numbers: [1] } });
    expect([urls.status, causes(urls)]).toEqual([409, "The upload is ready"]);
  });

  test("recovers a lost reply: storage had finished before we did", async () => {
    const { upload, parts } = await uploadAllParts(ana, words(), "a.wav");
    await completeInStorage(upload, parts);
    await sql("update uploads set status = 'completing' where id = $1", [upload.id]);
    const { status, body } = await complete(ana, upload, parts);
    expect([status, body.status]).toEqual([200, "ready"]);
  });

  test("is 503 while storage fails, and works afterwards (F19)", async () => {
    const { upload, parts } = await uploadAllParts(ana, words(), "a.wav");
    const { key } = await row(upload);
    // A key that storage refuses breaks this upload only.
    await sql("update uploads set object_key = repeat('x', 3000) where id = $1", [upload.id]);
    const reply = await fetch(`${stack.urls.api}/uploads/${upload.id}/complete`, {
      method: "POST",
      headers: { Authorization: `OAuth ${ana.token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ parts }),
    });
    expect([reply.status, await reply.json()]).toEqual([
      503,
      expect.objectContaining({ code: 503, message: "503 - Service Unavailable", error: null }),
    ]);
    expect(Number(reply.headers.get("Retry-After"))).toBeGreaterThanOrEqual(5);
    await sql("update uploads set object_key = $2 where id = $1", [upload.id, key]);
    expect((await complete(ana, upload, parts)).body.status).toBe("ready");
  });

  test("with a wrong ETag is 409 and names the part; the right one still works", async () => {
    const { upload, parts } = await uploadAllParts(ana, words(), "a.wav");
    for (const etag of ["0".repeat(32), `"${"f".repeat(32)}"`, "nonsense"]) {
      const wrong = await complete<ErrorReply>(ana, upload, [{ number: 1, etag }]);
      expect([wrong.status, causes(wrong)]).toEqual([409, expect.stringMatching(/match.*: 1$/)]);
    }
    expect((await complete(ana, upload, parts)).status).toBe(200);
  });

  test("with repeated or foreign part numbers is refused", async () => {
    const { upload, parts } = await uploadAllParts(ana, words(), "a.wav");
    const [part = { number: 1, etag: "" }] = parts;
    for (const sent of [
      [part, part],
      [part, { number: 2, etag: part.etag }],
      [{ ...part, number: 0 }],
      [{ ...part, etag: "" }],
    ])
      expect((await complete<ErrorReply>(ana, upload, sent)).status).toBe(422);
    expect(causes(await complete<ErrorReply>(ana, upload, []))).toBe("Parts are missing: 1");
    await giveUp(ana, upload);
  });

  test("with an ETag that XML cannot represent is the client's error", async () => {
    const { upload } = await uploadAllParts(ana, words(), "a.wav");
    for (const etag of ["\0", "\ud800", "\u0001", "\uffff", "é", " "]) {
      expect((await complete(ana, upload, [{ number: 1, etag }])).status).toBe(422);
      const json = { parts: [{ PartNumber: 1, ETag: etag }] };
      const byUppy = await api.post(`${upload.companion_url}/s3/multipart/${upload.id}/complete?key=x`, {
        json,
      });
      expect(byUppy.status).toBe(422);
    }
    expect((await complete(ana, upload, [{ number: 1, etag: "</ETag>&" }])).status).toBe(409);
    await giveUp(ana, upload);
  });

  test("creates no track from an object of another size than announced", async () => {
    const { upload, parts } = await uploadAllParts(ana, words(), "a.wav");
    const key = await completeInStorage(upload, parts);
    await s3.send(new PutObjectCommand({ Bucket: UPLOADS_BUCKET, Key: key, Body: "short" }));
    expect((await complete<ErrorReply>(ana, upload, parts)).status).toBe(422);
    expect((await api.as(ana).get<Stored>(`/uploads/${upload.id}`)).body).toMatchObject({
      status: "failed",
      error: expect.stringContaining("size"),
    });
    const track = await api
      .as(ana)
      .post<ErrorReply>("/tracks", { json: { track: { title: "x", upload_id: upload.id } } });
    expect([track.status, causes(track)]).toEqual([422, expect.stringContaining("failed")]);
  });
});

import { randomUUID } from "node:crypto";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import type { AppWithSecret } from "../../../functions/api/apps/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import type { Upload } from "../../../functions/api/uploads/representation.ts";
import { keyHashOf } from "../../../functions/lib/http/idempotency.ts";
import { UPLOADS_BUCKET } from "../../../workers/local/worker/bindings.ts";
import { JSON_TYPE } from "../../attacks/raw-requests.support.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createApp, createUser, type Person, tokenOf } from "../../support/people.ts";
import { runCron, sql, stack } from "../../support/stack.ts";
import { createReadyUpload, s3, words } from "../../support/tracks.ts";

let ana: Person;

beforeAll(async () => {
  ana = await createUser({ plan: "artist" });
});

const FILE = { filename: "a.wav", size: 10, type: "audio/wav" };

const post = <Body = Record<string, never>>(
  path: string,
  json: unknown,
  key: string,
  who: { token: string } = ana,
) => api.as(who).post<Body>(path, { json, headers: { "Idempotency-Key": key } });

const openUpload = async (key: string, who: { token: string } = ana, json: unknown = FILE) =>
  post<Upload & ErrorReply>("/uploads", json, key, who);

/** A new user each time, because uploads are limited to five open ones. */
const createArtist = () => createUser({ plan: "artist" });

const rowOf = async (who: Person, key: string) => {
  const viewer = { clientId: who.app.client_id, userId: who.id };
  const hash = keyHashOf(viewer, key);
  const change = (set: string) => sql(`update idempotency_keys set ${set} where key_hash = $1`, [hash]);
  const read = () =>
    sql<{ row: string }>("select k::text as row from idempotency_keys k where key_hash = $1", [hash]);
  return { change, read };
};

const uploadsOf = async (who: Person) => {
  const [row] = await sql<{ count: number }>(
    "select count(*)::int as count from uploads where user_id = $1",
    [who.id],
  );
  return row?.count;
};

/** Blocks each opening of an upload by this user inside its statement, until released. */
async function holdUp(who: Person) {
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  await client.query("select pg_advisory_lock(hashtext('open_upload'), hashint8($1))", [who.id]);
  const waiting = () =>
    client.query(
      "select 1 from pg_locks where locktype = 'advisory' and not granted and objid = hashint8($1)::oid",
      [who.id],
    );
  return {
    waiters: (count: number) => expect.poll(async () => (await waiting()).rowCount).toBe(count),
    letGo: () => client.end(),
  };
}

describe("an Idempotency-Key (X104)", () => {
  test("with the same body returns the first reply", async () => {
    const key = randomUUID();
    const first = await openUpload(key);
    const again = await openUpload(key);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    for (const name of ["Location", "Content-Type"])
      expect(again.headers.get(name)).toBe(first.headers.get(name));
    expect([first.headers.get("Idempotent-Replayed"), again.headers.get("Idempotent-Replayed")]).toEqual([
      null,
      "true",
    ]);
    expect(again.headers.get("X-Request-Id")).not.toBe(first.headers.get("X-Request-Id"));
  });

  test("with another body, type or path is refused", async () => {
    const key = randomUUID();
    await openUpload(key);
    expect((await openUpload(key, ana, { ...FILE, size: 11 })).status).toBe(422);
    expect((await openUpload(key, ana, { size: 10, filename: "a.wav", type: "audio/wav" })).status).toBe(422);
    const elsewhere = await post<ErrorReply>(
      "/me/apps",
      { name: "Else", redirect_uris: ["https://example.com/cb"] },
      key,
    );
    expect(elsewhere.status).toBe(422);
    expect(elsewhere.body.errors[0]?.error_message).toMatch(/^Idempotency-Key: /);
    const headers = { "Idempotency-Key": key, "Content-Type": "application/json; charset=utf-8" };
    expect((await api.as(ana).post("/uploads", { raw: JSON.stringify(FILE), headers })).status).toBe(422);
  });

  test("belongs to app and user: it outlasts the token and reveals nothing to others", async () => {
    const key = randomUUID();
    const first = await openUpload(key);
    const sameClient = { token: await tokenOf(ana.app, ana.username) };
    expect((await openUpload(key, sameClient)).body.id).toBe(first.body.id);
    const otherApp = { token: await tokenOf(await createApp(), ana.username) };
    const otherUser = await createUser({ app: ana.app });
    const ids = new Set([first.body.id]);
    for (const other of [otherApp, otherUser]) {
      const reply = await openUpload(key, other);
      expect(reply.status).toBe(201);
      ids.add(reply.body.id);
    }
    expect(ids.size).toBe(3);
  });

  test("lets one of many concurrent requests through; others wait or get its reply", async () => {
    const bo = await createArtist();
    const key = randomUUID();
    const replies = await Promise.all(Array.from({ length: 12 }, () => openUpload(key, bo)));
    for (const { status } of replies) expect([201, 409]).toContain(status);
    const made = replies.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    expect(made.filter(({ headers }) => !headers.has("Idempotent-Replayed"))).toHaveLength(1);
    for (const { headers } of replies.filter(({ status }) => status === 409))
      expect(headers.get("Retry-After")).toBe("1");
    expect(await uploadsOf(bo)).toBe(1);
  });

  test("holds during the first request", async () => {
    const bo = await createArtist();
    const key = randomUUID();
    const lock = await holdUp(bo);
    const first = openUpload(key, bo);
    await lock.waiters(1);
    const again = await openUpload(key, bo);
    expect([again.status, again.headers.get("Retry-After")]).toEqual([409, "1"]);
    expect(again.body.errors[0]?.error_message).toMatch(/^Idempotency-Key: /);
    await lock.letGo();
    expect((await first).status).toBe(201);
    expect((await openUpload(key, bo, { ...FILE, size: 12 })).status).toBe(422);
    expect((await openUpload(key, bo)).body.id).toBe((await first).body.id);
    expect(await uploadsOf(bo)).toBe(1);
  });

  test("expires after a day and is swept", async () => {
    const bo = await createArtist();
    const key = randomUUID();
    const first = await openUpload(key, bo);
    const row = await rowOf(bo, key);
    await row.change("expires_at = expires_at - interval '23 hours 59 minutes'");
    expect((await openUpload(key, bo)).body.id).toBe(first.body.id);
    await row.change("expires_at = now()");
    expect((await openUpload(key, bo, { ...FILE, size: 12 })).status).toBe(201);
    await row.change("expires_at = now()");
    await runCron("*/5 * * * *");
    expect(await row.read()).toEqual([]);
  });

  test("becomes free after a refusal, for any body", async () => {
    const bo = await createArtist();
    const key = randomUUID();
    const upload = await createReadyUpload(bo, words());
    const track = { upload_id: upload.id, title: "" };
    for (const _ of [1, 2]) expect((await post("/tracks", { track }, key, bo)).status).toBe(422);
    const made = await post<Track>("/tracks", { track: { ...track, title: "Here" } }, key, bo);
    expect(made.status).toBe(201);
    expect(made.headers.get("Location")).toBe(made.body.uri);
    const bare = { raw: "{", headers: { ...JSON_TYPE, "Idempotency-Key": randomUUID() } };
    expect((await api.as(bo).post("/tracks", bare)).status).toBe(400);
  });

  test("becomes free after a failure of the service", async () => {
    const bo = await createArtist();
    const key = randomUUID();
    const lock = await holdUp(bo);
    expect((await openUpload(key, bo)).status).toBe(504);
    await lock.letGo();
    expect((await openUpload(key, bo, { ...FILE, size: 12 })).status).toBe(201);
  });

  test("returns a secret again, which is stored encrypted", async () => {
    const key = randomUUID();
    const json = { name: "Box", redirect_uris: ["https://example.com/cb"] };
    const first = await post<AppWithSecret>("/me/apps", json, key);
    expect(first.status).toBe(201);
    const again = await post<AppWithSecret>("/me/apps", json, key);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("Cache-Control")).toBe("private, no-store");
    const [row] = await (await rowOf(ana, key)).read();
    for (const secret of [first.body.client_secret, key])
      for (const text of [secret, Buffer.from(secret).toString("hex")]) expect(row?.row).not.toContain(text);
    expect((await post<AppWithSecret>(`/me/apps/${first.body.id}/secret`, undefined, key)).status).toBe(422);
    const rotation = randomUUID();
    const rotated = await post<AppWithSecret>(`/me/apps/${first.body.id}/secret`, undefined, rotation);
    const repeated = await post<AppWithSecret>(`/me/apps/${first.body.id}/secret`, undefined, rotation);
    expect(repeated.body).toEqual(rotated.body);
  });

  test("requires a live session, and has no meaning without a token or on other methods", async () => {
    const bo = await createArtist();
    const key = randomUUID();
    await openUpload(key, bo);
    await sql("update sessions set revoked_at = now() where user_id = $1", [bo.id]);
    expect((await openUpload(key, bo)).status).toBe(401);
    const headers = { "Idempotency-Key": "not a key", ...JSON_TYPE };
    expect((await api.post("/uploads", { raw: "{}", headers })).status).toBe(401);
    expect((await api.as(ana).get("/me", { headers })).status).toBe(200);
  });

  test("compares fields and file of a multipart form, not the boundary; nothing of a repeat is stored", async () => {
    const bo = await createArtist();
    const key = randomUUID();
    const upload = (title: string, text = "These are only words.") => {
      const form = new FormData();
      form.set("track[title]", title);
      form.set("track[asset_data]", new Blob([text], { type: "audio/wav" }), "a.wav");
      return api.as(bo).post<Track>("/tracks", { raw: form, headers: { "Idempotency-Key": key } });
    };
    const first = await upload("Once");
    expect(first.status).toBe(201);
    const again = await upload("Once");
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get("Location")).toBe(first.headers.get("Location"));
    expect((await upload("Twice")).status).toBe(422);
    expect((await upload("Once", "These are other words.")).status).toBe(422);
    const { body: tracks } = await api.as(bo).get<Track[]>("/me/tracks");
    expect(tracks.map(({ id }) => id)).toEqual([first.body.id]);
    const { KeyCount } = await s3.send(
      new ListObjectsV2Command({ Bucket: UPLOADS_BUCKET, Prefix: `in/${bo.id}/` }),
    );
    expect(KeyCount).toBe(1);
  });

  test("returns its first reply in the requested format", async () => {
    const bo = await createArtist();
    const headers = { "Idempotency-Key": randomUUID(), Accept: "application/xml" };
    const [first, again] = [
      await api.as(bo).post<unknown>("/uploads", { json: FILE, headers }),
      await api.as(bo).post<unknown>("/uploads", { json: FILE, headers }),
    ];
    expect(first.status).toBe(201);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get("Content-Type")).toBe("application/xml; charset=utf-8");
  });

  test("stores the reply even if the client disconnected", async () => {
    const bo = await createArtist();
    const key = randomUUID();
    const lock = await holdUp(bo);
    const hungUp = new AbortController();
    const first = fetch(`${stack.urls.api}/uploads`, {
      method: "POST",
      headers: { Authorization: `OAuth ${bo.token}`, "Idempotency-Key": key, ...JSON_TYPE },
      body: JSON.stringify(FILE),
      signal: hungUp.signal,
    }).catch(() => undefined);
    await lock.waiters(1);
    hungUp.abort();
    await first;
    await lock.letGo();
    await expect
      .poll(async () => (await openUpload(key, bo)).headers.get("Idempotent-Replayed"))
      .toBe("true");
    expect(await uploadsOf(bo)).toBe(1);
  });

  test("costs no statement", async () => {
    const bo = await createArtist();
    const queries = (reply: { headers: Headers }) =>
      Number(/queries: (\d+)/.exec(reply.headers.get("Server-Timing") ?? "")?.[1]);
    const json = { playlist: { title: "Here" } };
    const without = queries(await api.as(bo).post("/playlists", { json }));
    const key = randomUUID();
    expect([without, queries(await post("/playlists", json, key, bo))]).toEqual([1, 1]);
    expect(queries(await post("/playlists", json, key, bo))).toBe(1);
  });
});

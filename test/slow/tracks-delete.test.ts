import { beforeAll, expect, test } from "vitest";
import type { Playlist } from "../../functions/api/playlists/representation.ts";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { createPlaylist } from "../api/playlists/playlists.ts";
import { storedSize } from "../api/uploads/uploads.support.ts";
import { BEAT, FINISHED, gateway, holdLease, leaseOf, report } from "../encoding/leases.support.ts";
import { isGarbage, keysUnder, swept } from "../encoding/sweep.support.ts";
import { api } from "../support/api.ts";
import { brokenInvariants } from "../support/check-invariants.ts";
import { operate } from "../support/operate.ts";
import { createApp, createUser, type Person } from "../support/people.ts";
import { changeTable, deliver, sql } from "../support/stack.ts";
import { createPlayableTrack, createReadyUpload, createTrack, putMedia, words } from "../support/tracks.ts";

let owner: Person;
let other: Person;

beforeAll(async () => {
  [owner, other] = await Promise.all([createUser(), createUser()]);
});

const garbage = (prefix: string) =>
  sql<{ bucket: string; due: boolean }>(
    "select bucket, due_at <= now() as due from object_garbage where prefix = $1",
    [prefix],
  );

const count = async (table: string, id: number) => {
  const [row] = await sql<{ n: number }>(`select count(*)::int as n from ${table} where track_id = $1`, [id]);
  return row?.n;
};

test("a deleted track is gone with its dependents, and its objects with the next sweep", async () => {
  const upload = await createReadyUpload(owner, words());
  const json = { track: { upload_id: upload.id, title: "Doomed" } };
  const { body: track } = await api.as(owner).post<Track>("/tracks", { json });
  const [row] = await sql<{ key: string }>("select original_key as key from tracks where id = $1", [
    track.id,
  ]);
  await sql("insert into favorites (user_id, track_id) values ($1, $2)", [other.id, track.id]);
  await sql("insert into track_shares (track_id, user_id) values ($1, $2)", [track.id, other.id]);
  expect(await storedSize(row?.key ?? "")).toBeGreaterThan(0);

  const reply = await api.as(owner).delete(`/tracks/${track.id}`);
  expect([reply.status, reply.body]).toEqual([200, { status: "200 - OK" }]);
  expect(reply.headers.get("Server-Timing")).toContain("queries: 1");

  for (const ask of [
    api.as(owner).get(`/tracks/${track.id}`),
    api.as(owner).delete(`/tracks/${track.id}`),
    api.as(owner).put(`/tracks/${track.id}`, { json: { track: {} } }),
  ])
    expect((await ask).status).toBe(404);
  for (const table of ["favorites", "track_shares", "encoding_jobs", "uploads"])
    expect(await count(table, track.id)).toBe(0);
  expect(await isGarbage("uploads", row?.key ?? "")).toBe(true);
  await swept(() => storedSize(row?.key ?? "")).toBeUndefined();
  expect((await api.as(owner).post("/tracks", { json })).status).toBe(422);
});

test("what a million rows hang on may take longer to hide, delete or revoke than other statements", async () => {
  const [{ id }, app] = [await createPlayableTrack(owner), await createApp()];
  const [set, shown] = [await createPlaylist(owner), await createPlaylist(owner, { sharing: "public" })];
  const step = `test_slow_${id}`;
  await changeTable(
    `create function ${step}() returns trigger language plpgsql as $$
     begin perform pg_sleep(5.5); return case tg_op when 'DELETE' then old else new end; end $$;
     create trigger ${step} before delete or update of sharing on tracks for each row when (old.id = ${id})
     execute function ${step}();
     create trigger ${step} before delete or update of sharing on playlists for each row
     when (old.id in (${set.id}, ${shown.id})) execute function ${step}();
     create trigger ${step} before update of disabled_at on apps for each row
     when (old.client_id = '${app.client_id}') execute function ${step}()`,
  );
  try {
    const playlist = { sharing: "private" };
    const [hidden, gone, closed, revoked] = await Promise.all([
      api.as(owner).put<Track>(`/tracks/${id}`, { json: { track: { sharing: "private" } } }),
      api.as(owner).delete(`/playlists/${set.id}`),
      api.as(owner).put<Playlist>(`/playlists/${shown.id}`, { json: { playlist } }),
      operate("app revoke", "--app", app.client_id, "--reason", "A leaked secret"),
    ]);
    expect([hidden.status, hidden.body.sharing, gone.status]).toEqual([200, "private", 200]);
    expect([closed.status, closed.body.sharing]).toEqual([200, "private"]);
    expect(revoked).toMatchObject({ client_id: app.client_id });
    expect((await api.as(owner).delete(`/tracks/${id}`)).status).toBe(200);
    expect((await api.as(owner).get(`/tracks/${id}`)).status).toBe(404);
  } finally {
    await changeTable(`drop function ${step}() cascade`);
  }
});

test("its media stop playing at once and are swept", async () => {
  const track = await createPlayableTrack(owner);
  await putMedia(`${track.prefix}waveform.json`, new Uint8Array([1]));
  const { body } = await api.as(other).get<Record<string, string>>(`/tracks/${track.id}/streams`);
  const status = async () => (await fetch(body.hls_aac_160_url ?? "")).status;
  expect(await status()).toBe(200);
  await api.as(owner).delete(`/tracks/${track.id}`);
  expect(await status()).toBe(404);
  expect(await isGarbage("media", track.prefix)).toBe(true);
  await swept(() => keysUnder("media", track.prefix)).toEqual([]);
});

test("more objects than storage lists at once are all swept", async () => {
  const track = await createPlayableTrack(owner);
  const many = Array.from({ length: 1_001 }, (_, n) => `${track.prefix}hls/96/${n}.m4s`);
  for (let n = 0; n < many.length; n += 50)
    await Promise.all(many.slice(n, n + 50).map((key) => putMedia(key, new Uint8Array(1))));
  await api.as(owner).delete(`/tracks/${track.id}`);
  await swept(() => keysUnder("media", track.prefix)).toEqual([]);
});

test("a queued message and a running encode find nothing and restore nothing (X79)", async () => {
  const track = await createTrack(owner);
  const ticket = await holdLease(track);
  expect(await report(track.id, ticket, "heartbeat", BEAT)).toBe(200);
  const written = await gateway(track.id, "outputs/hls/160/1.m4s", ticket, { method: "PUT", body: "x" });
  expect(written.ok).toBe(true);
  await api.as(owner).delete(`/tracks/${track.id}`);
  expect(await report(track.id, ticket, "heartbeat", BEAT)).toBe(409);
  expect(await report(track.id, ticket, "finished", FINISHED)).toBe(409);
  expect((await gateway(track.id, "source", ticket)).status).toBe(410);
  const { explicitAcks } = await deliver("jobs", [{ id: "m", body: { track: track.id, generation: 1 } }]);
  expect(explicitAcks).toEqual(["m"]);
  expect(await sql("select 1 from tracks where id = $1", [track.id])).toEqual([]);
  // Every output of the encode was listed before its first write.
  expect(await garbage(`t/${track.id}/${leaseOf(track)}/`)).toEqual([{ bucket: "media", due: false }]);
});

test("one of many concurrent requests deletes it during reports of its encode", async () => {
  const tracks = await Promise.all(Array.from({ length: 5 }, () => createTrack(owner)));
  await Promise.all(
    tracks.map(async (track) => {
      const ticket = await holdLease(track);
      const replies = await Promise.all([
        api.as(owner).delete(`/tracks/${track.id}`),
        report(track.id, ticket, "heartbeat", BEAT),
        api.as(owner).delete(`/tracks/${track.id}`),
        report(track.id, ticket, "failed", { reason: "stalled", retryable: true, detail: "" }),
        api.as(owner).delete(`/tracks/${track.id}`),
      ]);
      const statuses = replies.flatMap((reply) => (typeof reply === "number" ? [] : [reply.status]));
      expect(statuses.sort()).toEqual([200, 404, 404]);
    }),
  );
});

test("the invariants hold after these tests", async () => {
  expect(await brokenInvariants([owner.id, other.id])).toEqual([]);
});

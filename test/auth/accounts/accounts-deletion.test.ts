import { PutObjectCommand } from "@aws-sdk/client-s3";
import pg from "pg";
import { expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import type { User } from "../../../functions/api/users/representation.ts";
import { UPLOADS_BUCKET } from "../../../workers/local/worker/bindings.ts";
import { createComment } from "../../api/comments/comments.support.ts";
import { createPlaylist } from "../../api/playlists/playlists.ts";
import { complete, isOpenInStorage, open, row } from "../../api/uploads/uploads.support.ts";
import { BEAT, gateway, holdLease, report, reportAll } from "../../encoding/leases.support.ts";
import { keysUnder, swept } from "../../encoding/sweep.support.ts";
import { api } from "../../support/api.ts";
import { Browser, createMember, PASSWORD, settingsStatus, signIn } from "../../support/browser.ts";
import { brokenInvariants } from "../../support/check-invariants.ts";
import { askDuring } from "../../support/open-transaction.ts";
import { createApp, createUser, tokenOf } from "../../support/people.ts";
import { changeTable, runCron, sql, stack } from "../../support/stack.ts";
import {
  createPlayableTrack,
  createReadyUpload,
  createTrack,
  putMedia,
  s3,
  streamsOf,
  words,
} from "../../support/tracks.ts";

const rowsOf = async (id: number) =>
  (await sql<{ count: string }>("select count(*) from users where id = $1", [id]))[0]?.count;

test("deleting an account and its owner's app at once ends without a deadlock", async () => {
  const { browser, id, username } = await createMember();
  const app = await createApp();
  await sql("update apps set owner_id = $1 where id = $2", [id, app.id]);
  await tokenOf(app, username);
  const leave = () => browser.submit("/settings", "/settings/delete", { current_password: PASSWORD });
  const lock = "select from apps where id = $1 for no key update";
  const { status } = await askDuring(lock, [app.id], leave, [
    "delete from sessions where app_id = $1",
    [app.id],
  ]);
  expect(status).toBe(303);
});

test("a deleted account disappears at once, and its rows and objects soon after (X103)", async () => {
  const { browser, id, username, email } = await createMember();
  const app = await createApp();
  const person = { id, username, app, token: await tokenOf(app, username) };
  const track = await createPlayableTrack(person);
  const originalKey = `in/${id}/original`;
  await sql("update tracks set original_key = $2 where id = $1", [track.id, originalKey]);
  await putMedia(`${track.prefix}a/0.m4s`, new Uint8Array(10));
  await s3.send(new PutObjectCommand({ Bucket: UPLOADS_BUCKET, Key: originalKey, Body: "audio" }));
  await createReadyUpload(person, words());
  const visitor = await createUser();
  expect((await api.as(visitor).get(`/tracks/${track.id}`)).status).toBe(200);

  const wrong = await browser.submit("/settings", "/settings/delete", { current_password: "not it" });
  expect(wrong.status).toBe(422);
  expect((await api.as(person).get("/me")).status).toBe(200);
  const elsewhere = new Browser();
  await signIn(elsewhere, email);
  const gone = await browser.submit("/settings", "/settings/delete", { current_password: PASSWORD });
  expect([gone.status, gone.headers.location]).toEqual([303, "/signin?notice=account-deleted"]);

  expect((await api.as(person).get("/me")).status).toBe(401);
  expect(await settingsStatus(browser)).toBe(303);
  expect(await settingsStatus(elsewhere)).toBe(303);
  expect((await signIn(new Browser(), email)).status).toBe(422);
  expect((await api.as(visitor).get(`/tracks/${track.id}`)).status).toBe(404);
  expect((await browser.get(`/${username}/a-stored-song`)).status).toBe(404);
  expect(await sql("select email from accounts where user_id = $1", [id])).toEqual([]);

  await swept(() => rowsOf(id)).toBe("0");
  await swept(() => keysUnder("media", track.prefix)).toEqual([]);
  await swept(() => keysUnder("uploads", originalKey)).toEqual([]);
  const left = await sql(
    "select 1 from tracks where user_id = $1 union all select 1 from sessions where user_id = $1",
    [id],
  );
  expect(left).toEqual([]);
});

test("401: deleting an account ends its running upload and encode, and leaves nothing of either (F54)", async () => {
  const { browser, id, username } = await createMember();
  const app = await createApp();
  const person = { id, username, app, token: await tokenOf(app, username) };
  const upload = await open(person);
  const { key } = await row(upload);
  const track = await createTrack(person);
  const ticket = await holdLease(track);
  const store = (name: string) =>
    gateway(track.id, `outputs/hls/96/${name}`, ticket, { method: "PUT", body: "x" });
  expect([(await store("init.mp4")).status, (await store("0.m4s")).status]).toEqual([200, 200]);
  expect(await report(track.id, ticket, "heartbeat", BEAT)).toBe(200);
  const { hls_aac_96_url = "" } = await streamsOf(await createUser(), track.id);
  expect((await fetch(hls_aac_96_url)).status).toBe(200);

  await browser.submit("/settings", "/settings/delete", { current_password: PASSWORD });
  const { status } = await complete(person, upload, []);
  expect([status, (await fetch(hls_aac_96_url)).status]).toEqual([401, 404]);

  await swept(() => rowsOf(id)).toBe("0");
  expect(await reportAll(track.id, ticket)).toEqual([409, 409]);
  expect((await store("1.m4s")).status).toBe(409);
  await swept(() => isOpenInStorage(key)).toBe(false);
  await sql("update object_garbage set due_at = now() where prefix = $1", [track.prefix]);
  await swept(() => keysUnder("media", track.prefix)).toEqual([]);
  expect(await brokenInvariants([id])).toEqual([]);
});

test("an account with any amount of data is erased in steps", async () => {
  const [leaver, visitor, other] = await Promise.all([createUser(), createUser(), createUser()]);
  const [theirs, mine] = await Promise.all([createPlayableTrack(leaver), createPlayableTrack(visitor)]);
  const { id: playlist } = await createPlaylist(leaver);
  for (const each of [visitor, other]) {
    await api.as(each).put(`/me/followings/${leaver.id}`);
    await api.as(each).post(`/likes/tracks/${theirs.id}`);
    await api.as(each).post(`/likes/playlists/${playlist}`);
  }
  await api.as(leaver).post(`/likes/tracks/${mine.id}`);
  await Promise.all(Array.from({ length: 12 }, () => createComment(visitor, theirs)));
  await sql("update users set disabled_at = now() where id = $1", [leaver.id]);

  const PIECE = 4;
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  const left = async () => {
    const { rows } = await client.query<{ n: number }>(
      `select (
        (select count(*) from comments where track_id = $2) + (select count(*) from favorites where $2 = track_id or $1 = user_id)
        + (select count(*) from playlist_favorites where playlist_id = $3) + (select count(*) from followings where followee_id = $1)
        + (select count(*) from users where id = $1)
      )::int as n`,
      [leaver.id, theirs.id, playlist],
    );
    return rows[0]?.n ?? 0;
  };
  try {
    // The sweep, which would erase everything at once, skips rows that another transaction locks.
    await client.query("begin");
    await client.query("delete from accounts where user_id = $1", [leaver.id]);
    const counts = [await left()];
    while (counts.at(-1)) {
      const before = counts.at(-1) ?? 0;
      const { rows } = await client.query("select erase_some($1) as erased", [PIECE]);
      counts.push(await left());
      expect(before - (counts.at(-1) ?? 0)).toBeLessThanOrEqual(PIECE);
      expect(counts.at(-1) === 0 || rows[0].erased.more).toBe(true);
    }
    expect(counts[0]).toBe(20);
    await client.query("commit");
  } finally {
    await client.end();
  }
  expect((await api.as(visitor).get<Track>(`/tracks/${mine.id}`)).body.favoritings_count).toBe(0);
  const { body } = await api.as(visitor).get<User>("/me");
  expect([body.followings_count, body.public_favorites_count]).toEqual([0, 0]);
});

test("a deletion writes to none of the account's tracks, or one of 100,000 tracks would never end in time", async () => {
  const { browser, id, username } = await createMember();
  const app = await createApp();
  const track = await createPlayableTrack({ id, username, app, token: await tokenOf(app, username) });
  await changeTable(
    `create function written() returns trigger language plpgsql as 'begin raise ''written''; end';
     create trigger written before update on tracks for each row when (old.id = ${track.id}) execute function written()`,
  );
  try {
    const gone = await browser.submit("/settings", "/settings/delete", { current_password: PASSWORD });
    expect(gone.status).toBe(303);
  } finally {
    await changeTable("drop trigger written on tracks; drop function written()");
  }
});

test("one run of the sweep deletes what many tracks left behind", async () => {
  const { id } = await createUser();
  await putMedia(`t/${id}/119/a.m4s`, new Uint8Array(10));
  await sql(
    "insert into object_garbage (prefix, bucket, due_at) select 't/' || $1 || '/' || n || '/', 'media', now() from generate_series(0, 119) n",
    [id],
  );
  await runCron("*/5 * * * *");
  expect(await sql("select prefix from object_garbage where starts_with(prefix, 't/' || $1)", [id])).toEqual(
    [],
  );
  expect(await keysUnder("media", `t/${id}/`)).toEqual([]);
});

test("many nearly empty accounts and sets are erased in steps, too", async () => {
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  const many = "select id, id::text, id::text as text from generate_series(1, 5) id";
  try {
    await client.query("begin");
    await client.query(
      `insert into users (disabled_at, id, username, permalink) select now(), l.* from (${many}) l`,
    );
    await client.query(
      `insert into playlists (user_id, secret_hash, secret_sealed, id, title, permalink)
       select 1, sha256(l.text::bytea), '', l.* from (${many}) l`,
    );
    const left = [10];
    while (left.at(-1)) {
      const { rows } = await client.query("select (erase_some(150)->>'more')::boolean as more");
      const counted = await client.query<{ n: number }>(
        "select ((select count(*) from users where id < 6) + (select count(*) from playlists where id < 6))::int as n",
      );
      left.push(counted.rows[0]?.n ?? 0);
      expect((left.at(-2) ?? 0) - (left.at(-1) ?? 0)).toBeLessThanOrEqual(2);
      expect(left.at(-1) === 0 || rows[0].more).toBe(true);
    }
  } finally {
    await client.end();
  }
});

test("a user disabled by an operator loses nothing", async () => {
  const { id } = await createMember();
  await sql("update users set disabled_at = now() where id = $1", [id]);
  await runCron("*/5 * * * *");
  expect(await rowsOf(id)).toBe("1");
});

test("name and address become free once the account is erased", async () => {
  const { browser, id, username, email } = await createMember();
  await browser.submit("/settings", "/settings/delete", { current_password: PASSWORD });
  await swept(() => rowsOf(id)).toBe("0");
  const again = await new Browser().submit("/signup", "/signup", { username, email, password: PASSWORD });
  expect(again.status).toBe(303);
});

test("the apps of a deleted account stop working", async () => {
  const { browser, id } = await createMember();
  const app = await createApp();
  await sql("update apps set owner_id = $2 where id = $1", [app.id, id]);
  const visitor = await createUser({ app });
  expect((await api.as(visitor).get("/me")).status).toBe(200);
  await browser.submit("/settings", "/settings/delete", { current_password: PASSWORD });
  expect((await api.as(visitor).get("/me")).status).toBe(401);
});

test("one run of the sweep drops thousands of ended sessions, as many as a popular service opens meanwhile", async () => {
  const { id, app } = await createUser();
  await sql(
    `insert into sessions (app_id, user_id, expires_at, revoked_at)
     select $1, $2, now() + case when n % 2 = 0 then interval '-2 days' else interval '1 day' end,
       case when n % 3 > 0 then now() - interval '31 days' end from generate_series(1, 3600) n`,
    [app.id, id],
  );
  await runCron("*/5 * * * *");
  // Live sessions, and the user's own. Another file's sweep may lock some of the others for a moment.
  const left = () => sql("select count(*)::int from sessions where user_id = $1", [id]);
  await expect.poll(left).toEqual([{ count: 601 }]);
});

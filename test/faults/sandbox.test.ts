import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { readArguments } from "../../workers/admin/arguments.ts";
import { sandboxCommands } from "../../workers/admin/sandbox-commands.ts";
import { stackTarget } from "../../workers/admin/target.ts";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { type Stack, startStack } from "../../workers/local/stack/stack.ts";
import { MEDIA_BUCKET, UPLOADS_BUCKET } from "../../workers/local/worker/bindings.ts";
import { fillDataDir } from "../support/data-dir.ts";
import { type App, AuthServer } from "../support/oauth.ts";
import { sql } from "../support/stack.ts";
import { shortWav, storageOf } from "../support/tracks.ts";

/** A separate stack, because a reset restores everything in it. */
const dataDir = mkdtempSync(join(tmpdir(), "soundpost-test-"));
let stack: Stack;
let auth: AuthServer;
let app: App;
let [ana, ben] = [0, 0];
let survivor: Track;
let deleted: Track;
let snapshot: Record<string, string[]>;

const tokenOf = async (user: number) => (await auth.signedIn(app, user)).tokens.access_token;

const ask = (token: string, method: string, path: string, body?: object) =>
  fetch(stack.urls.api + path, {
    method,
    headers: { Authorization: `OAuth ${token}`, "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });

async function uploaded(token: string, title: string): Promise<Track> {
  const form = new FormData();
  form.set("track[title]", title);
  form.set("track[asset_data]", shortWav(), "song.wav");
  const headers = { Authorization: `OAuth ${token}` };
  const made = await fetch(`${stack.urls.api}/tracks`, { method: "POST", body: form, headers });
  const { id } = (await made.json()) as Track;
  const encoded = async () => {
    const track = (await (await ask(token, "GET", `/tracks/${id}`)).json()) as Track;
    if (track.state !== "finished") throw new Error(`track ${id} is ${track.state}`);
    return track;
  };
  return vi.waitFor(encoded, { timeout: 90_000, interval: 200 });
}

const found = async (words: string) =>
  ((await (await ask(await tokenOf(ben), "GET", `/tracks?q=${words}`)).json()) as Track[]).map(
    ({ id }) => id,
  );

const admin = (command: string) => sandboxCommands[command]?.(stackTarget(stack), readArguments([]));

const reset = () => stack.worker.scheduled({ cron: "0 4 * * *" });
const sweep = () => stack.worker.scheduled({ cron: "*/5 * * * *" });

/** All rows of all tables, except those that a reset empties. */
async function everything(): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  const copied = "select tablename as relname from pg_tables where schemaname = 'snapshot' order by 1";
  for (const { relname } of await auth.sql<{ relname: string }>(copied)) {
    const tableRows = await auth.sql<{ t: string }>(
      `select distinct t::text as t from public.${relname} t order by 1`,
    );
    rows[relname] = tableRows.map(({ t }) => t);
  }
  return rows;
}

const DISABLED = "select tgname from pg_trigger where not tgisinternal and tgenabled <> 'O'";

const prefixesOf = async (id: number) => {
  const [row] = await auth.sql<{ original_key: string; media_prefix: string }>(
    "select original_key, media_prefix from tracks where id = $1",
    [id],
  );
  return row ?? { original_key: "", media_prefix: "" };
};

/** Number of the track's objects: its original and its media. */
async function stored({ original_key, media_prefix }: { original_key: string; media_prefix: string }) {
  const storage = storageOf(stack);
  const count = async (Bucket: string, Prefix: string) =>
    (await storage.send(new ListObjectsV2Command({ Bucket, Prefix }))).KeyCount ?? 0;
  return {
    original: await count(UPLOADS_BUCKET, original_key),
    media: await count(MEDIA_BUCKET, media_prefix),
  };
}

/** Changes everything that a sandbox's visitors could, and more. */
async function changeEverything() {
  const [ofAna, ofBen] = [await tokenOf(ana), await tokenOf(ben)];
  const cyrus = await auth.createUser();
  const ofCyrus = await tokenOf(cyrus);
  const vandalised = { track: { title: "Vandalised" } };
  expect((await ask(ofAna, "PUT", `/tracks/${survivor.id}`, vandalised)).status).toBe(200);
  expect((await ask(ofAna, "DELETE", `/tracks/${deleted.id}`)).status).toBe(200);
  expect((await ask(ofBen, "DELETE", `/likes/tracks/${survivor.id}`)).status).toBeLessThan(300);
  expect((await ask(ofCyrus, "POST", `/likes/tracks/${survivor.id}`)).status).toBeLessThan(300);
  const remark = { comment: { body: "First!" } };
  expect((await ask(ofCyrus, "POST", `/tracks/${survivor.id}/comments`, remark)).status).toBe(201);
  // Swaps unique names, which former addresses would keep, and changes an app that others reference.
  await auth.sql("update users set permalink = 'between' where id = $1", [ana]);
  await auth.sql("delete from former_addresses");
  await auth.sql("update users set permalink = 'ana' where id = $1", [ben]);
  await auth.sql("delete from former_addresses");
  await auth.sql("update users set permalink = 'ben' where id = $1", [ana]);
  await auth.sql("update apps set name = 'Renamed' where id = $1", [app.id]);
  return { token: ofCyrus, cyrus };
}

beforeAll(async () => {
  await fillDataDir(dataDir);
  stack = await startStack({
    port: await freePorts(3),
    dataDir,
    crons: false,
    transcoders: 1,
    env: { SANDBOX: "on" },
    log: () => {},
  });
  auth = new AuthServer(stack);
  [app, ana, ben] = [await auth.createApp(), await auth.createUser(), await auth.createUser()];
  await auth.sql("update users set permalink = 'ana' where id = $1", [ana]);
  await auth.sql("update users set permalink = 'ben' where id = $1", [ben]);
  const child = await auth.createApp();
  await auth.sql("update apps set registered_by = $1 where id = $2", [app.id, child.id]);
  const [ofAna, ofBen] = [await tokenOf(ana), await tokenOf(ben)];
  survivor = await uploaded(ofAna, "Kept nightingale");
  deleted = await uploaded(ofAna, "Another nightingale");
  const playlist = { title: "Birds", sharing: "public", tracks: [{ id: survivor.id }, { id: deleted.id }] };
  expect((await ask(ofAna, "POST", "/playlists", { playlist })).status).toBe(201);
  expect((await ask(ofBen, "POST", `/likes/tracks/${survivor.id}`)).status).toBeLessThan(300);
  expect((await ask(ofBen, "PUT", `/me/followings/${ana}`)).status).toBeLessThan(300);
});

afterAll(async () => {
  await stack?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test("nothing is restored before there is a snapshot", async () => {
  const before = await auth.sql("select id from tracks");
  expect((await reset()).outcome).toBe("ok");
  await expect(admin("sandbox restore")).rejects.toThrow("There is no snapshot yet");
  expect(await auth.sql("select id from tracks")).toEqual(before);
});

test("no snapshot is taken while tracks are being encoded", async () => {
  await auth.sql("update tracks set state = 'processing' where id = $1", [survivor.id]);
  await expect(admin("sandbox snapshot")).rejects.toThrow("Tracks are being encoded");
  await auth.sql("update tracks set state = 'finished' where id = $1", [survivor.id]);
});

test("a snapshot reports its contents", async () => {
  const taken = await admin("sandbox snapshot");
  expect(taken).toMatchObject({ tracks: 2, objects: 4, taken_at: expect.any(String) });
  snapshot = await everything();
  expect([snapshot.tracks?.length, snapshot.favorites?.length]).toEqual([2, 1]);
  expect(Object.keys(snapshot)).not.toContain("sessions");
});

test("concurrent and repeated resets restore exactly the snapshot, and ids continue from there", async () => {
  const { token } = await changeEverything();
  const own = await uploaded(token, "Visiting nightingale");
  const [lost, gone] = [await prefixesOf(own.id), await prefixesOf(survivor.id)];
  expect(await everything()).not.toEqual(snapshot);
  await sweep();

  const twice = await Promise.all([reset(), reset()]);
  expect(twice.map(({ outcome }) => outcome)).toEqual(["ok", "ok"]);
  expect(await everything()).toEqual(snapshot);
  expect(await admin("sandbox restore")).toMatchObject({ rows_deleted: 0, rows_inserted: 0 });
  expect(await everything()).toEqual(snapshot);
  expect(await auth.sql(DISABLED)).toEqual([]);

  expect((await found("nightingale")).sort()).toEqual([survivor.id, deleted.id].sort());
  expect(await found("vandalised")).toEqual([]);
  await sweep();
  expect(await stored(lost)).toEqual({ original: 0, media: 0 });
  for (const prefixes of [gone, await prefixesOf(deleted.id)]) {
    const { original, media } = await stored(prefixes);
    expect(original).toBe(1);
    expect(media).toBeGreaterThan(5);
  }
  const again = await tokenOf(ana);
  expect((await ask(again, "POST", `/likes/tracks/${survivor.id}`)).status).toBeLessThan(300);
  const counted = (await (await ask(again, "GET", `/tracks/${survivor.id}`)).json()) as Track;
  expect(counted).toMatchObject({ title: "Kept nightingale", favoritings_count: 2 });
});

test("a reset signs everyone out, and accounts and apps of the snapshot sign in again", async () => {
  const grant = await auth.signedIn(app, ana);
  expect(await auth.me(grant.tokens.access_token)).toBe(200);
  await reset();
  expect(await auth.me(grant.tokens.access_token)).toBe(401);
  expect((await auth.refresh(app, grant.tokens.refresh_token)).status).toBe(400);
  expect(await auth.me(await tokenOf(ana))).toBe(200);
});

test("a reset killed midway changes nothing, and the next one completes", async () => {
  await changeEverything();
  const before = await everything();
  const other = await auth.connect();
  await other.query("begin");
  await other.query("select from tracks where id = $1 for update", [survivor.id]);
  let ended = false;
  const killed = reset().finally(() => {
    ended = true;
  });
  // Statements that may be repeated are sent again, so each that waits is killed until the reset gives up.
  await expect
    .poll(async () => {
      await auth.sql(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where usename = 'soundpost_app' and wait_event_type = 'Lock'`,
      );
      return ended;
    })
    .toBe(true);
  expect((await killed).outcome).toBe("exception");
  await other.query("rollback");
  other.release();
  expect(await everything()).toEqual(before);
  expect(await auth.sql(DISABLED)).toEqual([]);
  expect((await reset()).outcome).toBe("ok");
  expect(await everything()).toEqual(snapshot);
});

test("objects of an older snapshot become garbage once a newer one omits them", async () => {
  const prefixes = await prefixesOf(deleted.id);
  expect((await ask(await tokenOf(ana), "DELETE", `/tracks/${deleted.id}`)).status).toBe(200);
  await sweep();
  expect((await stored(prefixes)).original).toBe(1);
  expect(await admin("sandbox snapshot")).toMatchObject({ tracks: 1, objects: 2 });
  await sweep();
  expect(await stored(prefixes)).toEqual({ original: 0, media: 0 });
  await reset();
  expect(await found("nightingale")).toEqual([survivor.id]);
});

test("a database without its owner's marker refuses, whatever the Worker's setting", async () => {
  const [marker] = await auth.sql<{ m: object }>("delete from sandbox.marker m returning to_jsonb(m) as m");
  const user = await auth.createUser();
  expect((await reset()).outcome).toBe("ok");
  expect(await auth.sql("select 1 from users where id = $1", [user])).toHaveLength(1);
  for (const command of ["sandbox snapshot", "sandbox restore"])
    await expect(admin(command)).rejects.toThrow("This is no sandbox");
  await auth.sql("insert into sandbox.marker select * from jsonb_populate_record(null::sandbox.marker, $1)", [
    JSON.stringify(marker?.m),
  ]);
});

test("the service can neither set the marker nor read a snapshot", async () => {
  const roles = await sql<{ may: boolean }>(
    "select has_schema_privilege('soundpost_app', 'sandbox', 'usage') as may union all select rolsuper from pg_roles where rolname = 'soundpost_app'",
  );
  expect(roles).toEqual([{ may: false }, { may: false }]);
  const [own] = await auth.sql("select has_schema_privilege('soundpost_app', 'snapshot', 'usage') as may");
  expect(own).toEqual({ may: false });
});

test("a reset leaves operators, their acts and the service's own apps as they are now", async () => {
  await tokenOf(ana);
  const insert = "insert into operators (user_id) values ($1)";
  await auth.sql(insert, [ana]);
  const entry = "insert into operator_entries (session_id, user_id) select id, user_id from sessions";
  await auth.sql(`${entry} where user_id = $1 limit 1`, [ana]);
  await admin("sandbox snapshot");
  await auth.sql(`with gone as (delete from operators) ${insert}`, [ben]);
  // Apps of later migrations are not in older snapshots.
  await auth.sql("delete from snapshot.apps where client_id = 'personal'");
  await auth.sql("insert into audit_log (actor, act, target_kind) values ('Ben', 'user.delete', 'user')");
  await admin("sandbox restore");
  const left = "select user_id::float8 as id, actor from operators, audit_log where act = 'user.delete'";
  expect(await auth.sql(left)).toEqual([{ id: ben, actor: "Ben" }]);
  expect(await auth.sql("select name from apps where client_id = 'personal'")).toHaveLength(1);
});

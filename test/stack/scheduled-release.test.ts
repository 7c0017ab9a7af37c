import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, onTestFailed, test } from "vitest";
import type { Feed } from "../../functions/api/feed/representation.ts";
import type { Playlist } from "../../functions/api/playlists/representation.ts";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { keepSecrets } from "../../workers/local/stack/secrets.ts";
import { createPerson, type Person } from "../bench/people.ts";
import { upload } from "../bench/tracks.ts";
import { fillDataDir } from "../support/data-dir.ts";
import { clicks, wavFile } from "../support/sources/pcm.ts";
import { type NpmStart, nothingRuns, npmStart, runningStack, temporaryDataDir, until } from "./npm-start.ts";

/** A scheduled EP and its follower, while the whole service stands still at its time. */

const dataDir = temporaryDataDir();
const song = join(dataDir, "song.wav");
let port: number;
let url: string;
let stack: NpmStart;
let artist: Person;
let follower: Person & { id: number; email: string };

const start = async () => {
  stack = npmStart({ port, dataDir });
  await stack.ready;
};

/** Ends the whole stack as a power cut does. */
async function kill(): Promise<void> {
  process.kill((await runningStack(dataDir)).pid, "SIGKILL");
  await nothingRuns(dataDir);
}

/** Connects as the owner, who ends with the database. */
async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: (await runningStack(dataDir)).databaseUrl });
  client.on("error", () => {});
  await client.connect();
  return client;
}

async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = await connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

async function createMember() {
  const record = await runningStack(dataDir);
  const person = await createPerson({ ...record, secrets: await keepSecrets(dataDir) });
  const { id, permalink } = await person.call<{ id: number; permalink: string }>("GET", "/me");
  return { ...person, id, email: `${permalink}@example.com` };
}

beforeAll(async () => {
  port = await freePorts(3);
  url = `http://localhost:${port}`;
  await fillDataDir(dataDir);
  writeFileSync(song, wavFile(clicks(22_050, 44_100), 44_100));
  await start();
});

beforeEach(async () => {
  onTestFailed(() => console.error(stack.output()));
  const member = await createMember();
  [artist, follower] = [member, await createMember()];
  await follower.call("PUT", `/me/followings/${member.id}`);
  await query(
    `insert into news_mails (user_id, mail, kinds, looked_id, next_look_at)
     values ($1, 'tracks', '{tracks}', next_id(), now())`,
    [follower.id],
  );
});

afterAll(async () => {
  stack.npm.kill("SIGTERM");
  await nothingRuns(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
});

/** Uploads two tracks and, once they are encoded, schedules them as an EP. */
async function scheduleEp(): Promise<{ ep: Playlist; publishAt: string }> {
  const tracks: { id: number }[] = [];
  for (const title of ["First", "Second"]) {
    const { id } = await upload(artist, song);
    const track = { upload_id: id, title, sharing: "private" };
    tracks.push(await artist.call<Track>("POST", "/tracks", { track }));
  }
  for (const { id } of tracks)
    await until(
      "the track is encoded",
      async () => (await artist.call<Track>("GET", `/tracks/${id}`)).state === "finished",
    );
  const publishAt = new Date(Date.now() + 30_000).toISOString();
  const release = { title: "Night EP", playlist_type: "ep single", tracks, publish_at: publishAt };
  return { ep: await artist.call<Playlist>("POST", "/releases", { release }), publishAt };
}

const hasPassed = (instant: string) => until(`${instant} has passed`, () => Date.now() > Date.parse(instant));

/** All that the follower is told by: the feed, and mails of news, whose cron is made to look at once. */
async function countNews() {
  const { collection } = await follower.call<Feed>("GET", "/me/feed");
  await query("update news_mails set next_look_at = now() where user_id = $1", [follower.id]);
  const mails = await fetch(`${url}/dev/mail.json?to=${encodeURIComponent(follower.email)}`);
  return {
    feed: collection.map(({ origin }) => origin.title),
    mails: ((await mails.json()) as unknown[]).length,
  };
}

const ONCE = { feed: ["Night EP", "First", "Second"], mails: 1 };
const NOT_YET = { feed: [], mails: 0 };

const publicationOf = async ({ id }: { id: number }) =>
  (await follower.call<Playlist>("GET", `/playlists/${id}`)).published_at;

/** It is told of once, also after the next start and another look. */
async function expectToldOnce(ep: Playlist, publishAt: string): Promise<void> {
  await expect.poll(countNews).toEqual(ONCE);
  const publishedAt = await publicationOf(ep);
  expect(Date.parse(publishedAt ?? "")).toBeGreaterThanOrEqual(Date.parse(publishAt));
  await kill();
  await start();
  // Mails of before are gone with the stand-in. A look with nothing to tell comes back in five minutes, one that told in an hour.
  await expect.poll(async () => (await countNews()).feed).toEqual(ONCE.feed);
  await until("the mails were looked at", async () => {
    const [row] = await query<{ wait: number }>(
      "select extract(epoch from next_look_at - now())::int as wait from news_mails where user_id = $1",
      [follower.id],
    );
    return row && row.wait > 0 && row.wait <= 300;
  });
  expect(await publicationOf(ep)).toBe(publishedAt);
}

test("an EP whose time comes while the service is stopped is published once it runs, and its follower told once", async () => {
  const { ep, publishAt } = await scheduleEp();
  expect(await countNews()).toEqual(NOT_YET);
  stack.npm.kill("SIGTERM");
  await nothingRuns(dataDir);
  await hasPassed(publishAt);
  await start();
  await expectToldOnce(ep, publishAt);
});

test("an EP amid whose publication everything is killed is published whole at the next start, and told of once", async () => {
  const { ep, publishAt } = await scheduleEp();
  const client = await connect();
  await client.query("begin");
  // The set's post comes last, and waits for this one, which never comes.
  await client.query("insert into posts (id, kind, user_id, subject_id) values (1, 'playlist', $1, $2)", [
    ep.user_id,
    ep.id,
  ]);
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const waiting = "select 1 from pg_stat_activity where $1 = any (pg_blocking_pids(pid))";
  await until("its publication waits", async () => (await query(waiting, [rows[0]?.pid])).length > 0);
  expect(await countNews()).toEqual(NOT_YET);
  await kill();
  await start();
  await expectToldOnce(ep, publishAt);
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { repeats } from "../../support/repeats.ts";
import { runCron, sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { createPlaylist } from "../playlists/playlists.ts";

const FANS = repeats(300, 1000);
/** Fans whose one like is removed, and others who go with everything of theirs. */
const [UNLIKING, LEAVING] = [FANS * 0.3, FANS * 0.2];
/** Calls of triggers and foreign keys, however many rows a deletion removes. */
const CALLS_AT_MOST = 60;

let owner: Person;
let prefix: string;
let remainingId: number;

beforeAll(async () => {
  owner = await createUser();
  prefix = `crowd-${owner.id}-`;
  await sql("insert into users (permalink, username) select $1 || n, 'Fan' from generate_series(1, $2) n", [
    prefix,
    FANS,
  ]);
  remainingId = (await createPlayableTrack(owner)).id;
  await addTo("favorites", remainingId);
});

afterAll(async () => {
  await sql("delete from users where starts_with(permalink, $1)", [prefix]);
});

/** All users of the crowd in one statement. */
const addTo = (table: string, id: number) =>
  sql(
    `insert into ${table} (user_id, ${table.startsWith("playlist") ? "playlist_id" : "track_id"})
     select id, $2 from users where starts_with(permalink, $1)`,
    [prefix, id],
  );

const say = (id: number) =>
  sql(
    `insert into comments (user_id, track_id, body, sanitizer_version)
     select id, $2, 'Bravo', 1 from users where starts_with(permalink, $1)`,
    [prefix, id],
  );

async function createMarkedTrack(): Promise<number> {
  const { id } = await createPlayableTrack(owner);
  for (const table of ["favorites", "reposts"]) await addTo(table, id);
  await say(id);
  return id;
}

async function createMarkedPlaylistFor(): Promise<number> {
  const { id } = await createPlaylist(owner);
  for (const table of ["playlist_favorites", "playlist_reposts"]) await addTo(table, id);
  return id;
}

/** Users of the crowd by their stated number of public favorites. */
const likers = () =>
  sql<{ said: number; fans: number }>(
    `select said::int, count(*)::int as fans from (
       select u.public_favorites_count + coalesce((select sum(d.delta) from counter_deltas d
         where d.kind = 'user' and d.subject_id = u.id and d.counter = 'public_favorites_count'), 0) as said
       from users u where starts_with(u.permalink, $1)) u
     group by said order by said`,
    [prefix],
  );

/** Milliseconds. The cron also works off the counters of other files, some of which leave a million. */
const ROLL_UP_PATIENCE_MS = 100_000;

const rolledUp = () =>
  expect
    .poll(
      async () => {
        await runCron("*/5 * * * *");
        return sql(
          `select 1 from counter_deltas d join users u on u.id = d.subject_id
         where d.kind = 'user' and starts_with(u.permalink, $1) limit 1`,
          [prefix],
        );
      },
      { timeout: ROLL_UP_PATIENCE_MS },
    )
    .toEqual([]);

/** Rows left of a deleted track or playlist. */
const leftOf = async (id: number) => {
  const [row] = await sql<{ n: string }>(
    `select (select count(*) from favorites where track_id = $1)
       + (select count(*) from reposts where track_id = $1)
       + (select count(*) from comments where track_id = $1)
       + (select count(*) from playlist_favorites where playlist_id = $1)
       + (select count(*) from playlist_reposts where playlist_id = $1)
       + (select count(*) from posts where subject_id = $1)
       + (select count(*) from activities where favored_track_id = $1)
       + (select count(*) from activities a where comment_id is not null and user_id = $2
          and not exists (select from comments c where c.id = a.comment_id)) as n`,
    [id, owner.id],
  );
  return Number(row?.n);
};

const trackOf = async (id: number) => (await api.as(owner).get<Track>(`/tracks/${id}`)).body;

test("favorites and reposts in bulk count like single ones", async () => {
  const [track, playlist] = [await createMarkedTrack(), await createMarkedPlaylistFor()];
  const all = { favoritings_count: FANS, reposts_count: FANS, comment_count: FANS };
  expect(await trackOf(track)).toMatchObject(all);
  expect((await api.as(owner).get<Playlist>(`/playlists/${playlist}`)).body).toMatchObject({
    likes_count: FANS,
    reposts_count: FANS,
  });
  expect(await likers()).toEqual([{ said: 2, fans: FANS }]);

  expect((await api.as(owner).delete(`/tracks/${track}`)).status).toBe(200);
  expect((await api.as(owner).delete(`/playlists/${playlist}`)).status).toBe(200);
  expect([await leftOf(track), await leftOf(playlist)]).toEqual([0, 0]);
  expect(await likers()).toEqual([{ said: 1, fans: FANS }]);
  await rolledUp();
  expect(await likers()).toEqual([{ said: 1, fans: FANS }]);
  expect((await trackOf(remainingId)).favoritings_count).toBe(FANS);
});

test("some fans are removed in bulk, with one like or with everything of theirs", async () => {
  const { id } = await createPlayableTrack(owner);
  for (const table of ["favorites", "reposts"]) await addTo(table, id);
  await say(id);
  const of = (n: number) => [prefix, n];
  const some = "select id from users where starts_with(permalink, $1) order by id limit $2";
  await sql(`delete from favorites where track_id = ${id} and user_id in (${some})`, of(UNLIKING));
  expect(await likers()).toEqual([
    { said: 1, fans: UNLIKING },
    { said: 2, fans: FANS - UNLIKING },
  ]);
  const left = FANS - UNLIKING - LEAVING;
  await sql(
    `delete from users where id in (${some.replace("order by id", "order by id desc")})`,
    of(LEAVING),
  );
  expect(await trackOf(id)).toMatchObject({
    favoritings_count: left,
    reposts_count: FANS - LEAVING,
    comment_count: FANS - LEAVING,
  });
  expect((await trackOf(remainingId)).favoritings_count).toBe(FANS - LEAVING);
  await api.as(owner).put(`/tracks/${id}`, { json: { track: { sharing: "private" } } });
  expect(await likers()).toEqual([{ said: 1, fans: FANS - LEAVING }]);
});

describe("a deletion needs the same number of calls for any number of favorites and reposts", () => {
  interface Explained {
    "QUERY PLAN": { Triggers: { "Trigger Name": string; Calls: number }[] }[];
  }

  test.each([
    ["tracks", createMarkedTrack],
    ["playlists", createMarkedPlaylistFor],
  ])("the deletion of %s", async (table, make) => {
    const [explained] = await sql<Explained>(
      `explain (analyze, format json) delete from ${table} where id = $1`,
      [await make()],
    );
    const triggers = explained?.["QUERY PLAN"][0]?.Triggers ?? [];
    expect(triggers.map((trigger) => trigger["Trigger Name"])).toContain("gone_reposts_are_not_posted");
    expect(triggers.reduce((sum, { Calls }) => sum + Calls, 0)).toBeLessThan(CALLS_AT_MOST);
  });
});

import { beforeAll, describe, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { runCron, sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { createPlaylist } from "../playlists/playlists.ts";

let owner: Person;
let fans: Person[];

beforeAll(async () => {
  owner = await createUser();
  fans = await Promise.all(Array.from({ length: 5 }, () => createUser()));
});

/** A roll-up skips locked rows, which the next one includes. */
const rolledUp = (id: number) =>
  expect
    .poll(async () => {
      await runCron("*/5 * * * *");
      return sql("select 1 from counter_deltas where subject_id = $1 limit 1", [id]);
    })
    .toEqual([]);

/** Path, kind, counter and table of each. */
const COUNTED = [
  ["likes", "tracks", "favoritings_count", "favorites"],
  ["likes", "playlists", "likes_count", "playlist_favorites"],
  ["reposts", "playlists", "reposts_count", "playlist_reposts"],
  ["reposts", "tracks", "reposts_count", "reposts"],
] as const;

describe.each(COUNTED)("%s of %s", (path, kind, counter, table) => {
  const column = kind === "tracks" ? "track_id" : "playlist_id";
  const make = async () =>
    (await (kind === "tracks" ? createPlayableTrack(owner) : createPlaylist(owner))).id;
  const pathOf = (id: number) => `/${path}/${kind}/${id}`;

  const counted = async (id: number) => {
    const { body } = await api.as(owner).get<Record<typeof counter, number>>(`/${kind}/${id}`);
    return body[counter];
  };
  const stored = async (id: number) => {
    const [row] = await sql<{ n: number }>(`select count(*)::int as n from ${table} where ${column} = $1`, [
      id,
    ]);
    return row?.n;
  };
  const agree = async (id: number) => {
    expect(await counted(id)).toBe(await stored(id));
    await rolledUp(id);
    expect(await counted(id)).toBe(await stored(id));
  };

  test("count once for twenty requests of one user at once (X76)", async () => {
    const id = await make();
    const [fan = owner] = fans;
    const replies = await Promise.all(Array.from({ length: 20 }, () => api.as(fan).post(pathOf(id))));
    expect(new Set(replies.map(({ status }) => status)).size).toBe(1);
    expect(await counted(id)).toBe(1);
    await agree(id);
    await Promise.all(Array.from({ length: 20 }, () => api.as(fan).delete(pathOf(id))));
    expect(await counted(id)).toBe(0);
    await agree(id);
  });

  test("equal the rows after a storm, before and after the roll-up (X77)", async () => {
    const id = await make();
    const storm = fans.flatMap((fan, at) =>
      Array.from({ length: 8 }, (_, n) =>
        (n * 7 + at) % 3 ? api.as(fan).post(pathOf(id)) : api.as(fan).delete(pathOf(id)),
      ),
    );
    const sweeps = Array.from({ length: 5 }, () => sql("select roll_up_counters(7)"));
    for (const { status } of await Promise.all(storm)) expect([200, 201]).toContain(status);
    await Promise.all(sweeps);
    await agree(id);
  });

  test("are counted while the owner deletes the target, without a deadlock (X77)", async () => {
    const id = await make();
    await Promise.all(fans.slice(1).map((fan) => api.as(fan).post(pathOf(id))));
    const storm = fans.flatMap((fan, at) =>
      Array.from({ length: 6 }, (_, n) =>
        (n + at) % 2 ? api.as(fan).post(pathOf(id)) : api.as(fan).delete(pathOf(id)),
      ),
    );
    const deleted = api.as(owner).delete(`/${kind}/${id}`);
    for (const { status } of await Promise.all(storm)) expect([200, 201, 404]).toContain(status);
    expect((await deleted).status).toBe(200);
    expect(await stored(id)).toBe(0);
    await rolledUp(id);
  });

  test("no longer count once their user is deleted", async () => {
    const id = await make();
    const [leaver, fan] = [await createUser(), await createUser()];
    for (const one of [leaver, fan]) await api.as(one).post(pathOf(id));
    expect(await counted(id)).toBe(2);
    await sql("delete from users where id = $1", [leaver.id]);
    expect(await counted(id)).toBe(1);
    await agree(id);
  });
});

test("counters of favorites and reposts do not affect the version of a playlist or track", async () => {
  const [track, playlist] = [await createPlayableTrack(owner), await createPlaylist(owner)];
  const modified = async () => [
    (await api.as(owner).get<Track>(`/tracks/${track.id}`)).body.last_modified,
    (await api.as(owner).get<Playlist>(`/playlists/${playlist.id}`)).body.last_modified,
  ];
  await sql("update tracks set updated_at = '2024-05-01' where id = $1", [track.id]);
  await sql("update playlists set updated_at = '2024-05-01' where id = $1", [playlist.id]);
  const before = await modified();
  const [fan = owner] = fans;
  await api.as(fan).post(`/reposts/tracks/${track.id}`);
  await api.as(fan).post(`/likes/playlists/${playlist.id}`);
  for (const id of [track.id, playlist.id]) await rolledUp(id);
  expect(await modified()).toEqual(before);
});

import { beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import type { Me } from "../../../functions/api/users/representation-me.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { runCron, sql } from "../../support/stack.ts";

import { createPlayableTrack, createRetryableTrack } from "../../support/tracks.ts";

let owner: Person;
let fans: Person[];

beforeAll(async () => {
  owner = await createUser();
  fans = await Promise.all(Array.from({ length: 5 }, () => createUser()));
});

const favoritesOf = async (id: number) =>
  (await api.as(owner).get<Track>(`/tracks/${id}`)).body.favoritings_count;

const publicFavoritesOf = async (who: Person) =>
  (await api.as(who).get<Me>("/me")).body.public_favorites_count;

const rows = async (column: "track_id" | "user_id", id: number) => {
  const [row] = await sql<{ n: number }>(`select count(*)::int as n from favorites where ${column} = $1`, [
    id,
  ]);
  return row?.n;
};

const isPending = async (id: number) =>
  (await sql("select 1 from counter_deltas where subject_id = $1 limit 1", [id])).length > 0;

/** A roll-up skips locked rows, which the next one includes. */
async function rolledUp(...ids: number[]): Promise<void> {
  await expect
    .poll(async () => {
      await runCron("*/5 * * * *");
      return (await Promise.all(ids.map(isPending))).includes(true);
    })
    .toBe(false);
}

describe("likes are counted", () => {
  test("equal to the rows after a storm of likes and unlikes, before and after the roll-up (X77)", async () => {
    const { id } = await createPlayableTrack(owner);
    const storm = fans.flatMap((fan, at) =>
      Array.from({ length: 12 }, (_, n) =>
        (n * 7 + at) % 3
          ? api.as(fan).post(`/likes/tracks/${id}`)
          : api.as(fan).delete(`/likes/tracks/${id}`),
      ),
    );
    const replies = await Promise.all(storm);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const likers = await Promise.all(fans.map((fan) => rows("user_id", fan.id)));
    const check = async () => {
      expect(await favoritesOf(id)).toBe(await rows("track_id", id));
      expect(await Promise.all(fans.map(publicFavoritesOf))).toEqual(likers);
    };
    await check();
    await rolledUp(id, ...fans.map((fan) => fan.id));
    await check();
  });

  test("stay correct while the owner hides and shows the track (X77)", async () => {
    const { id } = await createPlayableTrack(owner);
    const fan = await createUser();
    const flips = Array.from({ length: 9 }, (_, n) =>
      api.as(owner).put(`/tracks/${id}`, { json: { track: { sharing: n % 2 ? "public" : "private" } } }),
    );
    const storm = Array.from({ length: 24 }, (_, n) =>
      n % 3 ? api.as(fan).post(`/likes/tracks/${id}`) : api.as(fan).delete(`/likes/tracks/${id}`),
    );
    for (const { status } of await Promise.all(flips)) expect(status).toBe(200);
    for (const { status } of await Promise.all(storm)) expect([200, 404]).toContain(status);
    const stored = (await rows("track_id", id)) ?? 0;
    expect(await favoritesOf(id)).toBe(stored);
    await api.as(owner).put(`/tracks/${id}`, { json: { track: { sharing: "private" } } });
    expect(await publicFavoritesOf(fan)).toBe(0);
    await api.as(owner).put(`/tracks/${id}`, { json: { track: { sharing: "public" } } });
    expect(await publicFavoritesOf(fan)).toBe(stored);
  });
});

describe("public favorites are those that everybody sees", () => {
  test.each([
    ["is made private", "update tracks set sharing = 'private' where id = $1", 0],
    ["stays as it is", "update tracks set sharing = 'public', state = 'finished' where id = $1", 1],
    ["fails", "update tracks set state = 'failed' where id = $1", 0],
    ["is deleted", "delete from tracks where id = $1", 0],
    [
      "loses its owner",
      "update users set disabled_at = now() where id = (select user_id from tracks where id = $1)",
      0,
    ],
  ])("a track that %s", async (_, change, left) => {
    const artist = await createUser();
    const fan = await createUser();
    const { id } = await createPlayableTrack(artist);
    await api.as(fan).put(`/me/favorites/${id}`);
    expect(await publicFavoritesOf(fan)).toBe(1);
    await sql(change, [id]);
    expect(await publicFavoritesOf(fan)).toBe(left);
    await rolledUp(id, fan.id);
    expect(await publicFavoritesOf(fan)).toBe(left);
  });

  test("is not counted while private, and counted once public", async () => {
    const fan = await createUser();
    const { id, secret } = await createPlayableTrack(owner, { sharing: "private" });
    await api.as(fan).put(`/me/favorites/${id}?secret_token=${secret}`);
    expect([await favoritesOf(id), await publicFavoritesOf(fan)]).toEqual([1, 0]);
    await api.as(owner).put(`/tracks/${id}`, { json: { track: { sharing: "public" } } });
    expect([await favoritesOf(id), await publicFavoritesOf(fan)]).toEqual([1, 1]);
  });

  test("is counted again once a failed track is encoded", async () => {
    const fan = await createUser();
    const { id } = await createRetryableTrack(owner);
    await api.as(fan).put(`/me/favorites/${id}`);
    expect(await publicFavoritesOf(fan)).toBe(0);
    await sql("update tracks set state = 'processing' where id = $1", [id]);
    expect(await publicFavoritesOf(fan)).toBe(1);
  });

  test("is subtracted once if its owner left and their tracks were hidden", async () => {
    const [artist, fan] = await Promise.all([createUser(), createUser()]);
    const { id } = await createPlayableTrack(artist);
    await api.as(fan).put(`/me/favorites/${id}`);
    await sql("update users set disabled_at = now() where id = $1", [artist.id]);
    await sql("update tracks set sharing = 'private' where id = $1", [id]);
    await sql("delete from tracks where id = $1", [id]);
    expect(await publicFavoritesOf(fan)).toBe(0);
  });
});

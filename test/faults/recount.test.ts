import type pg from "pg";
import { afterAll, expect, test } from "vitest";
import { createComment } from "../api/comments/comments.support.ts";
import { createPlaylist } from "../api/playlists/playlists.ts";
import { api } from "../support/api.ts";
import { invariantsHoldAfterwards } from "../support/check-invariants.ts";
import { whileHeld } from "../support/open-transaction.ts";
import { createUser } from "../support/people.ts";
import { runCron, sql, workerLog } from "../support/stack.ts";
import { createPlayableTrack } from "../support/tracks.ts";

invariantsHoldAfterwards();

type Kind = "track" | "playlist" | "user";

interface Batch {
  wrong: { id: number; counter: string; delta: number }[];
  checked: number;
  ended: boolean;
}

/** Sets the night's pass to just before a subject. */
const COME_TO = "update recounts set after_id = $2::bigint - 1, begun_at = now() where kind = $1";

/** Only these tests run recounts on this stack, because others write counters without rows. */
const PUT_OFF = "update recounts set after_id = null, begun_at = 'infinity'";

afterAll(() => sql(PUT_OFF));

async function batch(kind: Kind, query: typeof sql = sql): Promise<Batch | null | undefined> {
  const [row] = await query<{ done: Batch | null }>("select recount_some($1, 1) as done", [kind]);
  return row?.done;
}

const within =
  (client: pg.Client): typeof sql =>
  async (text, values = []) =>
    (await client.query(text, values)).rows;

/** Recounts one subject. No sweep sees the pass. */
const recounted = (kind: Kind, id: number) =>
  whileHeld(COME_TO, [kind, id], async (client) => {
    const counted = await batch(kind, within(client));
    await client.query(PUT_OFF);
    await client.query("commit");
    return counted?.wrong;
  });

/** Works while the pass is at a subject. The stack's own sweep may be quicker, and goes on to later subjects. */
async function whileDue(kind: Kind, id: number, work: () => Promise<unknown>): Promise<void> {
  await sql(COME_TO, [kind, id]);
  try {
    await work();
  } finally {
    await sql(PUT_OFF);
  }
}

async function createBusyScene() {
  const [owner, fan] = await Promise.all([createUser(), createUser()]);
  const track = await createPlayableTrack(owner);
  const set = await createPlaylist(owner);
  await createPlaylist(owner, { sharing: "private" });
  await api.as(fan).put(`/me/followings/${owner.id}`);
  for (const kind of ["likes", "reposts"])
    for (const path of [`tracks/${track.id}`, `playlists/${set.id}`])
      await api.as(fan).post(`/${kind}/${path}`);
  await createComment(fan, track, { body: "Good" });
  await api.as(fan).post(`/tracks/${track.id}/plays`);
  const readCounts = async () => {
    const pick = async (path: string) => {
      const { body } = await api.as(owner).get<Record<string, unknown>>(path);
      return Object.fromEntries(Object.entries(body).filter(([name]) => /_counts?$/.test(name)));
    };
    return [
      await pick(`/tracks/${track.id}`),
      await pick(`/playlists/${set.id}`),
      await pick("/me"),
      await pick(`/users/${fan.id}`),
    ];
  };
  return { owner, fan, track, set, readCounts };
}

test("a recount repairs drifted counters and names each, and a second one changes nothing (F57)", async () => {
  const { owner, fan, track, set, readCounts } = await createBusyScene();
  const right = await readCounts();
  await sql(
    "update tracks set favoritings_count = 1000, comment_count = 7, reposts_count = 3 where id = $1",
    [track.id],
  );
  await sql("update playlists set favoritings_count = 12, reposts_count = 4 where id = $1", [set.id]);
  await sql(
    `update users set playlist_count = 5, private_playlists_count = 9, followers_count = 3, followings_count = 77,
       public_favorites_count = 8, reposts_count = 8, comments_count = 8 where id = any ($1)`,
    [[owner.id, fan.id]],
  );
  expect(await readCounts()).not.toEqual(right);
  for (const [kind, id, counters] of [
    ["track", track.id, 3],
    ["playlist", set.id, 2],
    ["user", owner.id, 7],
    ["user", fan.id, 7],
  ] as const) {
    const wrong = await recounted(kind, id);
    expect([kind, wrong?.map((one) => one.id)]).toEqual([kind, Array(counters).fill(id)]);
    expect(await recounted(kind, id)).toEqual([]);
  }
  expect(await readCounts()).toEqual(right);
  await sql("select roll_up_counters(100000)");
  expect(await readCounts()).toEqual(right);
});

test("the sweep recounts due counters and reports repairs (F57)", async () => {
  const { set, readCounts } = await createBusyScene();
  const right = await readCounts();
  await sql("update playlists set favoritings_count = favoritings_count + 40 where id = $1", [set.id]);
  await whileDue("playlist", set.id, () =>
    expect
      .poll(async () => {
        await runCron("*/5 * * * *");
        return readCounts();
      })
      .toEqual(right),
  );
  await expect
    .poll(() => JSON.stringify(workerLog().filter(({ event }) => event === "counters_repaired")))
    .toContain(`{"id":${set.id},"delta":-40,"counter":"favoritings_count"}`);
});

test("correct counters stay unchanged, whatever is written during the recount (F57)", async () => {
  const { fan, track, readCounts } = await createBusyScene();
  const [before] = await readCounts();
  const writes = Array.from({ length: 20 }, async (_, n) => {
    if (n % 2) await api.as(fan).delete(`/likes/tracks/${track.id}`);
    else await api.as(fan).post(`/likes/tracks/${track.id}`);
    await createComment(await createUser(), track, { body: `${n}` });
  });
  const recounts = async () => {
    for (let n = 0; n < 20; n++) await recounted("track", track.id);
  };
  const roll = Array.from({ length: 5 }, () => sql("select roll_up_counters(50)"));
  await Promise.all([...writes, recounts(), ...roll]);
  await api.as(fan).post(`/likes/tracks/${track.id}`);
  const [after] = await readCounts();
  expect(after).toEqual({ ...before, comment_count: Number(before?.comment_count) + 20 });
});

test("one of several concurrent recounts repairs (F57)", async () => {
  const { track, readCounts } = await createBusyScene();
  const right = await readCounts();
  await sql("update tracks set favoritings_count = favoritings_count + 5 where id = $1", [track.id]);
  await whileDue("track", track.id, () => Promise.all(Array.from({ length: 5 }, () => batch("track"))));
  // The sweep may be the one.
  await expect.poll(readCounts).toEqual(right);
});

test("a pass begins once a night, continues where it stopped, and ends (F57)", async () => {
  await createBusyScene();
  await whileHeld(
    "update recounts set after_id = null, begun_at = '-infinity' where kind = $1",
    ["track"],
    async (client) => {
      const next = () => batch("track", within(client));
      expect(await next()).toMatchObject({ checked: 1, ended: false });
      expect(await next()).toMatchObject({ checked: 2, ended: false });
      await client.query(COME_TO, ["track", Number.MAX_SAFE_INTEGER]);
      expect(await next()).toMatchObject({ ended: true });
      expect(await next()).toBeNull();
    },
  );
});

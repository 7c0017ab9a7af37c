import { afterAll, expect, test } from "vitest";
import { createComment } from "../api/comments/comments.support.ts";
import { createPlaylist } from "../api/playlists/playlists.ts";
import { api } from "../support/api.ts";
import { invariantsHoldAfterwards } from "../support/check-invariants.ts";
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

/** Only these tests run recounts on this stack, because others write counters without rows. */
afterAll(() => sql("update recounts set after_id = null, begun_at = 'infinity'"));

/** Sets the night's pass to just before this subject. */
const comeTo = (kind: Kind, id: number) =>
  sql("update recounts set after_id = $2, begun_at = now() where kind = $1", [kind, id - 1]);

async function batch(kind: Kind, limit: number): Promise<Batch | null | undefined> {
  const [row] = await sql<{ done: Batch | null }>("select recount_some($1, $2) as done", [kind, limit]);
  return row?.done;
}

async function recounted(kind: Kind, id: number) {
  await comeTo(kind, id);
  return (await batch(kind, 1))?.wrong;
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
  await comeTo("playlist", set.id);
  await expect
    .poll(async () => {
      await runCron("*/5 * * * *");
      return readCounts();
    })
    .toEqual(right);
  const reports = workerLog().filter(({ event }) => event === "counters_repaired");
  expect(JSON.stringify(reports)).toContain(`{"id":${set.id},"delta":-40,"counter":"favoritings_count"}`);
});

test("correct counters stay unchanged, whatever is written during the recount (F57)", async () => {
  const { fan, track, readCounts } = await createBusyScene();
  const [before] = await readCounts();
  const writes = Array.from({ length: 20 }, async (_, n) => {
    if (n % 2) await api.as(fan).delete(`/likes/tracks/${track.id}`);
    else await api.as(fan).post(`/likes/tracks/${track.id}`);
    await createComment(await createUser(), track, { body: `${n}` });
  });
  const recounts = Array.from({ length: 20 }, () => recounted("track", track.id));
  const roll = Array.from({ length: 5 }, () => sql("select roll_up_counters(50)"));
  await Promise.all([...writes, ...recounts, ...roll]);
  await api.as(fan).post(`/likes/tracks/${track.id}`);
  const [after] = await readCounts();
  expect(after).toEqual({ ...before, comment_count: Number(before?.comment_count) + 20 });
});

test("one of several concurrent recounts repairs (F57)", async () => {
  const { track, readCounts } = await createBusyScene();
  const right = await readCounts();
  await sql("update tracks set favoritings_count = favoritings_count + 5 where id = $1", [track.id]);
  await comeTo("track", track.id);
  await Promise.all(Array.from({ length: 5 }, () => batch("track", 1)));
  expect(await readCounts()).toEqual(right);
});

test("a pass begins once a night, continues where it stopped, and ends (F57)", async () => {
  await createBusyScene();
  await sql("update recounts set after_id = null, begun_at = '-infinity' where kind = 'track'");
  expect(await batch("track", 1)).toMatchObject({ checked: 1, ended: false });
  expect(await batch("track", 1)).toMatchObject({ checked: 2, ended: false });
  await comeTo("track", Number.MAX_SAFE_INTEGER);
  expect(await batch("track", 1)).toMatchObject({ ended: true });
  expect(await batch("track", 1)).toBeNull();
});

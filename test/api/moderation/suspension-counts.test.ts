import pg from "pg";
import { expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { askDuring } from "../../support/open-transaction.ts";
import { operate } from "../../support/operate.ts";
import { createUser, type Person } from "../../support/people.ts";
import { runCron, sql, stack } from "../../support/stack.ts";
import { createPlayableTrack, createReadyUpload, createTrack, words } from "../../support/tracks.ts";
import { createComment } from "../comments/comments.support.ts";
import { createPlaylist } from "../playlists/playlists.ts";

const suspend = ({ username }: Person) => operate("user suspend", "--user", username, "--reason", "Spam");
const restore = ({ username }: Person) => operate("user restore", "--user", username);

const publicFavoritesOf = async (fan: Person) =>
  (await api.as(fan).get<{ public_favorites_count: number }>("/me")).body.public_favorites_count;

test.each([
  ["hidden", "public", "private"],
  ["published", "private", "public"],
])("a track that is %s while its owner is suspended or returns is counted once", async (_, before, after) => {
  const [owner, fan] = [await createUser(), await createUser()];
  const { id } = await createPlayableTrack(owner);
  await api.as(fan).post(`/likes/tracks/${id}`);
  await sql("update tracks set sharing = $2 where id = $1", [id, before]);
  const share = "update tracks set sharing = $2 where id = $1";
  await askDuring(share, [id, after], () => suspend(owner));
  expect(await publicFavoritesOf(fan)).toBe(0);
  await sql(share, [id, before]);
  expect(await publicFavoritesOf(fan)).toBe(0);
  await askDuring(share, [id, after], () => restore(owner));
  expect(await publicFavoritesOf(fan)).toBe(after === "public" ? 1 : 0);
});

const ofTrack = (table: string, lock: string) => `select from ${table} where track_id = $1 for ${lock}`;
const byId = (table: string, lock: string) => `select from ${table} where id = $1 for ${lock}`;

/** Rows that a statement locks, one after the other. */
const LOCKS: [what: string, first: string, next: string][] = [
  ["a like of a track", byId("tracks", "key share"), byId("users", "key share")],
  ["an encode that ends", ofTrack("encoding_jobs", "update"), byId("tracks", "no key update")],
  ["an edit of a playlist", byId("playlists", "no key update"), byId("tracks", "key share")],
  ["an upload that becomes a track", byId("uploads", "update"), byId("users", "key share")],
];

test.each(LOCKS)("%s and a suspension at the same moment both succeed", async (_, first, next) => {
  const owner = await createUser();
  const upload = await createReadyUpload(owner, words());
  const { id: track } = await createTrack(owner);
  const { id: playlist } = await createPlaylist(owner, { sharing: "public" });
  const idIn = (statement: string) => {
    const [, table = ""] = /from (\w+)/.exec(statement) ?? [];
    return { uploads: upload.id, playlists: playlist, users: owner.id }[table] ?? track;
  };
  const suspended = askDuring(first, [idIn(first)], () => suspend(owner), [next, [idIn(next)]]);
  expect(await suspended).toMatchObject({ state: "suspended" });
});

/** Favorites, reposts, comments and followings of a fan, by the counter that each raises and the list that it stands in. */
async function createAll(fan: Person, owner: Person) {
  const { id: track } = await createPlayableTrack(owner);
  const { id: set } = await createPlaylist(owner, { sharing: "public" });
  for (const path of [`tracks/${track}`, `playlists/${set}`])
    for (const kind of ["likes", "reposts"]) await api.as(fan).post(`/${kind}/${path}`);
  for (const body of ["One", "Two"]) await createComment(fan, { id: track }, { body });
  await api.as(fan).put(`/me/followings/${owner.id}`);
  await api.as(owner).put(`/me/followings/${fan.id}`);
  return [
    [`/tracks/${track}`, "favoritings_count", `/tracks/${track}/favoriters`],
    [`/tracks/${track}`, "reposts_count", `/tracks/${track}/reposters`],
    [`/tracks/${track}`, "comment_count", `/tracks/${track}/comments`],
    [`/playlists/${set}`, "likes_count", `/playlists/${set}/favoriters`],
    [`/playlists/${set}`, "reposts_count", `/playlists/${set}/reposters`],
    [`/users/${owner.id}`, "followers_count", `/users/${owner.id}/followers`],
    [`/users/${owner.id}`, "followings_count", `/users/${owner.id}/followings`],
  ] as const;
}

/** Each counter beside the length of its list. */
async function countsAndLists(made: Awaited<ReturnType<typeof createAll>>, who: Person) {
  const read = async ([path, counter, list]: (typeof made)[number]) => {
    const counted = (await api.as(who).get<Record<string, number>>(path)).body[counter];
    const { body } = await api.as(who).get<unknown[] | { collection: unknown[] }>(list);
    return [counter, counted, (Array.isArray(body) ? body : body.collection).length] as const;
  };
  return Promise.all(made.map(read));
}

const pairs = (...numbers: number[]) => numbers.map((number) => [expect.any(String), number, number]);

test("favorites, reposts and followings of a suspended user are neither listed nor counted, and both again after the return", async () => {
  const [owner, fan, other] = [await createUser(), await createUser(), await createUser()];
  const made = await createAll(fan, owner);
  const [track = ""] = made[0] ?? [];
  await api.as(other).post(`/likes${track}`);
  expect(await countsAndLists(made, owner)).toEqual(pairs(2, 1, 2, 1, 1, 1, 1));
  await suspend(fan);
  expect(await countsAndLists(made, owner)).toEqual(pairs(1, 0, 0, 0, 0, 0, 0));
  await runCron("*/5 * * * *");
  expect(await countsAndLists(made, owner)).toEqual(pairs(1, 0, 0, 0, 0, 0, 0));
  await restore(fan);
  expect(await countsAndLists(made, owner)).toEqual(pairs(2, 1, 2, 1, 1, 1, 1));
});

test("whoever likes several tracks of a suspended user is counted once, or a label of a million likes took a minute", async () => {
  const [owner, fan] = [await createUser(), await createUser()];
  for (let track = 0; track < 2; track++)
    await api.as(fan).post(`/likes/tracks/${(await createPlayableTrack(owner)).id}`);
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  try {
    await client.query("begin");
    await client.query("delete from counter_deltas where subject_id = $1", [fan.id]);
    await client.query("update users set disabled_at = now() where id = $1", [owner.id]);
    const { rows } = await client.query(
      "select delta::int from counter_deltas where subject_id = $1 and counter = 'public_favorites_count'",
      [fan.id],
    );
    expect(rows).toEqual([{ delta: -2 }]);
  } finally {
    await client.end();
  }
});

test("a comment that is deleted while its author is suspended counts once", async () => {
  const [owner, fan] = [await createUser(), await createUser()];
  const { id } = await createPlayableTrack(owner);
  const comment = await createComment(fan, { id }, { body: "Spam" });
  await createComment(owner, { id }, { body: "Welcome" });
  await askDuring("delete from comments where id = $1", [comment.id], () => suspend(fan));
  await restore(fan);
  expect((await api.as(owner).get<{ comment_count: number }>(`/tracks/${id}`)).body.comment_count).toBe(1);
});

test("a user who is deleted after a suspension is taken off the counts once", async () => {
  const [owner, fan] = [await createUser(), await createUser()];
  const made = await createAll(fan, owner);
  await suspend(fan);
  await operate("user delete", "--user", fan.username, "--reason", "Spam");
  await expect
    .poll(async () => {
      await runCron("*/5 * * * *");
      return sql("select 1 from users where id = $1", [fan.id]);
    })
    .toEqual([]);
  expect(await countsAndLists(made, owner)).toEqual(pairs(0, 0, 0, 0, 0, 0, 0));
});

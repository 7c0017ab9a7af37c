import { beforeEach, expect, test } from "vitest";
import { createComment } from "../api/comments/comments.support.ts";
import { createPlaylist, named } from "../api/playlists/playlists.ts";
import { api } from "../support/api.ts";
import { operate } from "../support/operate.ts";
import { createAppToken, createUser, type Person } from "../support/people.ts";
import { runCron } from "../support/stack.ts";
import { createPlayableTrack, type StoredTrack } from "../support/tracks.ts";

type Asking = { token: string };
type Counts = Record<string, number>;

interface Page {
  collection: unknown[];
  next_href?: string;
}

/** The lists that each counter counts. */
const LISTS = {
  track_count: ["tracks?filter=public"],
  playlist_count: ["playlists"],
  followers_count: ["followers"],
  followings_count: ["followings"],
  public_favorites_count: ["favorites"],
  likes_count: ["likes/tracks"],
  reposts_count: ["reposts/tracks", "reposts/playlists"],
  comments_count: ["comments"],
};

let owner: Person;
let fan: Person;
let friend: Person;
let readers: Asking[];
let open: StoredTrack;
let quiet: StoredTrack;

/** A fan likes, reposts and comments on all that an owner has; a friend is one with whom a track is shared. */
beforeEach(async () => {
  [owner, fan, friend] = [await createUser(), await createUser(), await createUser()];
  readers = [owner, fan, friend, await createAppToken()];
  [open, quiet] = [await createPlayableTrack(owner), await createPlayableTrack(owner)];
  const set = await createPlaylist(owner, { tracks: named([open.id]) });
  for (const { id } of [open, quiet]) {
    await api.as(fan).post(`/likes/tracks/${id}`);
    await api.as(fan).post(`/reposts/tracks/${id}`);
    for (const body of ["One", "Two"]) await createComment(fan, { id }, { body });
    await createComment(friend, { id }, { body: "Three" });
    await createComment(owner, { id }, { body: "Thanks" });
  }
  await api.as(fan).post(`/reposts/playlists/${set.id}`);
  await api.as(fan).put(`/me/followings/${owner.id}`);
  await change(quiet, { reveal_comments: false });
  await expectEqual();
});

const change = (track: StoredTrack, fields: object) =>
  api.as(owner).put(`/tracks/${track.id}`, { json: { track: fields } });

/** Items of a whole walk, two a page. */
async function lengthOf(reader: Asking, path: string): Promise<number> {
  let count = 0;
  const more = path.includes("?") ? "&" : "?";
  let next: string | undefined = `${path}${more}limit=2&linked_partitioning=true`;
  while (next) {
    const { body }: { body: Page } = await api.as(reader).get<Page>(next);
    count += body.collection.length;
    next = body.next_href;
  }
  return count;
}

async function countsFor(reader: Asking, user: Person): Promise<[counts: Counts, lengths: Counts]> {
  const { status, body } = await api.as(reader).get<Counts>(`/users/${user.id}`);
  const [counts, found]: [Counts, Counts] = [{}, {}];
  for (const [counter, lists] of Object.entries(LISTS)) {
    const lengths = await Promise.all(lists.map((list) => lengthOf(reader, `/users/${user.id}/${list}`)));
    found[counter] = lengths.reduce((sum, length) => sum + length, 0);
    counts[counter] = body[counter] ?? Number.NaN;
  }
  expect(status).toBe(200);
  // The owner's private playlists have a counter of their own.
  if (reader === user) counts.playlist_count = found.playlist_count ?? 0;
  return [counts, found];
}

/** Every counter of everybody is what a walk gives, for every reader, before and after the deltas are added up. */
async function expectEqual(people = [owner, fan, friend]) {
  for (const _ of ["pending", "added up"]) {
    for (const user of people)
      for (const [n, reader] of readers.entries()) {
        const [counts, found] = await countsFor(reader, user);
        expect([n, user.username, counts]).toEqual([n, user.username, found]);
      }
    await runCron("*/5 * * * *");
  }
}

const commentsOf = async (reader: Asking, { id }: Person) =>
  (await api.as(reader).get<Counts>(`/users/${id}`)).body.comments_count;

test("a track that is private, shared, quiet and public again", async () => {
  expect(await Promise.all(readers.map((reader) => commentsOf(reader, fan)))).toEqual([4, 4, 2, 2]);
  await change(open, { sharing: "private" });
  await expectEqual();
  expect(await Promise.all(readers.map((reader) => commentsOf(reader, fan)))).toEqual([4, 2, 0, 0]);
  await api.as(owner).put(`/tracks/${open.id}/shared-to/users`, { json: { users: [{ id: friend.id }] } });
  await expectEqual();
  expect(await Promise.all(readers.map((reader) => commentsOf(reader, fan)))).toEqual([4, 2, 2, 0]);
  await change(open, { reveal_comments: false });
  await expectEqual();
  await change(quiet, { reveal_comments: true });
  await change(open, { sharing: "public" });
  await expectEqual();
  expect(await Promise.all(readers.map((reader) => commentsOf(reader, fan)))).toEqual([4, 4, 2, 2]);
});

test("a track that is taken down and put back", async () => {
  for (const track of [open, quiet])
    await operate("track take-down", "--track", String(track.id), "--reason", "Spam");
  await expectEqual();
  for (const track of [open, quiet]) await operate("track put-back", "--track", String(track.id));
  await expectEqual();
});

test("an owner who is suspended and returns, and one who is deleted", async () => {
  await operate("user suspend", "--user", owner.username, "--reason", "Spam");
  readers = readers.slice(1);
  await expectEqual([fan, friend]);
  await operate("user restore", "--user", owner.username);
  await expectEqual([owner, fan, friend]);
  await operate("user delete", "--user", owner.username, "--reason", "Spam");
  await expectEqual([fan, friend]);
});

test("a deleted track, a deleted comment and likes and reposts that are taken back", async () => {
  const { body } = await api.as(fan).get<{ uri: string; track_id: number; id: number }[]>("/me/comments");
  for (const said of body.slice(0, 3))
    await api.as(fan).delete(`/tracks/${said.track_id}/comments/${said.id}`);
  await expectEqual();
  await api.as(fan).delete(`/reposts/tracks/${open.id}`);
  await api.as(owner).delete(`/tracks/${quiet.id}`);
  await expectEqual();
});

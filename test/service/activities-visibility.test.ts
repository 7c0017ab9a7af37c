import { beforeAll, describe, expect, test } from "vitest";
import { api } from "../support/api.ts";
import { type Person, someone } from "../support/people.ts";
import { sql, stack } from "../support/stack.ts";
import { aPlayableTrack, aRetryableTrack, type StoredTrack } from "../support/tracks.ts";
import { aComment } from "./commenting.ts";
import {
  AFFILIATED,
  ALL,
  activitiesOf,
  EXCLUSIVE,
  follow,
  happenedTo,
  leave,
  like,
  OWN,
  share,
  TRACKS,
  unlike,
} from "./happening.ts";

let owner: Person;
let follower: Person;
let friend: Person;
let speaker: Person;
let stranger: Person;

beforeAll(async () => {
  [owner, follower, friend, speaker, stranger] = (await Promise.all(
    Array.from({ length: 5 }, () => someone()),
  )) as [Person, Person, Person, Person, Person];
  await follow(follower, owner);
});

const TITLE = "Only for those who may see it";

/** A track that all have heard of: by following, by a share, by a comment that answers theirs, by a like of it. */
async function known(whose = owner): Promise<StoredTrack> {
  const track = await aPlayableTrack(whose, { title: TITLE });
  await share(whose, track, [friend]);
  for (const one of [speaker, stranger]) await aComment(one, track, { timestamp: 1 });
  await like(stranger, track);
  return track;
}

const isHeardOf = async (track: StoredTrack, who: Person): Promise<boolean> => {
  const lists = [ALL, TRACKS, AFFILIATED, EXCLUSIVE, OWN].map((path) =>
    activitiesOf(who, `${path}?limit=200`),
  );
  return (await Promise.all(lists)).some(({ collection }) =>
    collection.some(({ origin }) => ("track" in origin ? origin.track.id : origin.id) === track.id),
  );
};

const listeners = () => ({ owner, follower, friend, speaker, stranger });

async function whoHears(track: StoredTrack): Promise<string[]> {
  const heard: string[] = [];
  for (const [name, who] of Object.entries(listeners())) if (await isHeardOf(track, who)) heard.push(name);
  return heard;
}

describe("X10: a track is in the activities of those who see it", () => {
  test("while it is public, of all who have to do with it", async () => {
    expect(await whoHears(await known())).toEqual(["owner", "follower", "friend", "speaker"]);
  });

  test("private, of its owner and of whom it is shared with", async () => {
    const track = await known();
    await api.as(owner).put(`/tracks/${track.id}`, { json: { track: { sharing: "private" } } });
    expect(await whoHears(track)).toEqual(["owner", "friend"]);
    await api.as(owner).put(`/tracks/${track.id}`, { json: { track: { sharing: "public" } } });
    expect(await whoHears(track)).toEqual(["owner", "follower", "friend", "speaker"]);
  });

  test("failed, of its owner", async () => {
    const track = await aRetryableTrack(owner, { title: TITLE });
    await share(owner, track, [friend]);
    for (const one of [speaker, stranger]) await aComment(one, track, { timestamp: 1 });
    expect(await whoHears(track)).toEqual(["owner"]);
  });

  test("deleted, of nobody, and nothing of it is kept", async () => {
    const track = await known();
    const rows = () =>
      sql(
        "select 1 from activities where $1 in (favored_track_id, shared_track_id) or comment_id in (select id from comments where track_id = $1)",
        [track.id],
      );
    expect(await rows()).toHaveLength(5);
    expect((await api.as(owner).delete(`/tracks/${track.id}`)).status).toBe(200);
    expect(await whoHears(track)).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  test("of somebody who left, of nobody, until they are back", async () => {
    const leaver = await someone();
    await follow(follower, leaver);
    const track = await known(leaver);
    const others = ["follower", "friend", "speaker"];
    expect(await whoHears(track)).toEqual(others);
    await leave(leaver);
    expect(await whoHears(track)).toEqual([]);
    await sql("update users set disabled_at = null where id = $1", [leaver.id]);
    expect(await whoHears(track)).toEqual(others);
  });

  test("blocked, still, with no more than anybody sees of it", async () => {
    const track = await aPlayableTrack(owner, { streamable: false });
    const [activity] = (await activitiesOf(follower, `${AFFILIATED}?limit=1`)).collection;
    expect(activity?.origin).toEqual((await api.as(follower).get(`/tracks/${track.id}`)).body);
    expect(activity?.origin).toMatchObject({ access: "blocked" });
  });

  test("nobody hears its secret but its owner, and nobody its title who may not see it", async () => {
    const track = await known();
    await sql("update tracks set sharing = 'private' where id = $1", [track.id]);
    for (const [name, who] of Object.entries(listeners())) {
      const reply = await fetch(`${stack.urls.api}${ALL}`, {
        headers: { Authorization: `OAuth ${who.token}` },
      });
      const text = await reply.text();
      expect([name, text.includes(track.secret)]).toEqual([name, false]);
      if (name !== "owner" && name !== "friend")
        expect([name, text.includes(String(track.id))]).toEqual([name, false]);
    }
  });
});

describe("what is undone, or by somebody who left, is gone", () => {
  test("a like, a comment, a share", async () => {
    const track = await aPlayableTrack(owner, { sharing: "private" });
    await share(owner, track, [friend, stranger]);
    await like(friend, track);
    const { id } = await aComment(friend, track);
    const names = [`comment ${id}`, `favoriting ${track.id} by ${friend.id}`];
    expect((await happenedTo(owner, OWN)).slice(0, 2)).toEqual(names);
    await unlike(friend, track);
    await api.as(friend).delete(`/tracks/${track.id}/comments/${id}`);
    await share(owner, track, [stranger]);
    expect(await isHeardOf(track, owner)).toBe(false);
    expect(await isHeardOf(track, friend)).toBe(false);
    expect(await isHeardOf(track, stranger)).toBe(true);
  });

  test("with its actor, and back with them", async () => {
    const mine = await aPlayableTrack(stranger);
    const leaver = await someone();
    await like(leaver, mine);
    const { id } = await aComment(leaver, mine);
    const names = [`comment ${id}`, `favoriting ${mine.id} by ${leaver.id}`];
    expect(await happenedTo(stranger, OWN)).toEqual(names);
    await leave(leaver);
    expect(await happenedTo(stranger, OWN)).toEqual([]);
    await sql("update users set disabled_at = null where id = $1", [leaver.id]);
    expect(await happenedTo(stranger, OWN)).toEqual(names);
  });

  test("with its actor's or its reader's rows", async () => {
    const [reader, gone] = [await someone(), await someone()];
    const mine = await aPlayableTrack(reader);
    await like(gone, mine);
    const track = await aPlayableTrack(owner);
    for (const one of [gone, reader]) await aComment(one, track, { timestamp: 1 });
    const rows = () => sql("select 1 from activities where $1 in (user_id, actor_id)", [gone.id]);
    expect(await rows()).toHaveLength(3);
    await sql("delete from users where id = $1", [gone.id]);
    expect(await rows()).toEqual([]);
    expect(await happenedTo(reader)).toEqual([]);
  });
});

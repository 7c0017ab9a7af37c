import { beforeAll, describe, expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlayableTrack, createRetryableTrack, type StoredTrack } from "../../support/tracks.ts";
import { createComment } from "../comments/comments.support.ts";
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
} from "./activities.support.ts";

let owner: Person;
let follower: Person;
let friend: Person;
let speaker: Person;
let stranger: Person;

beforeAll(async () => {
  [owner, follower, friend, speaker, stranger] = (await Promise.all(
    Array.from({ length: 5 }, () => createUser()),
  )) as [Person, Person, Person, Person, Person];
  await follow(follower, owner);
});

const TITLE = "Only for those who may see it";

/** A track that everyone here learns of by following, a share, an answered comment or a like. */
async function known(whose = owner): Promise<StoredTrack> {
  const track = await createPlayableTrack(whose, { title: TITLE });
  await share(whose, track, [friend]);
  for (const one of [speaker, stranger]) await createComment(one, track, { timestamp: 1 });
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

describe("a track is in the activities of those who may see it (X10)", () => {
  test("a public one in those of everyone concerned", async () => {
    expect(await whoHears(await known())).toEqual(["owner", "follower", "friend", "speaker"]);
  });

  test("a private one in those of its owner and recipients", async () => {
    const track = await known();
    await api.as(owner).put(`/tracks/${track.id}`, { json: { track: { sharing: "private" } } });
    expect(await whoHears(track)).toEqual(["owner", "friend"]);
    await api.as(owner).put(`/tracks/${track.id}`, { json: { track: { sharing: "public" } } });
    expect(await whoHears(track)).toEqual(["owner", "follower", "friend", "speaker"]);
  });

  test("a failed one in those of its owner", async () => {
    const track = await createRetryableTrack(owner, { title: TITLE });
    await share(owner, track, [friend]);
    for (const one of [speaker, stranger]) await createComment(one, track, { timestamp: 1 });
    expect(await whoHears(track)).toEqual(["owner"]);
  });

  test("a deleted one in nobody's, and nothing of it remains", async () => {
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

  test("one of a user who left in nobody's, until they return", async () => {
    const leaver = await createUser();
    await follow(follower, leaver);
    const track = await known(leaver);
    const others = ["follower", "friend", "speaker"];
    expect(await whoHears(track)).toEqual(others);
    await leave(leaver);
    expect(await whoHears(track)).toEqual([]);
    await sql("update users set disabled_at = null where id = $1", [leaver.id]);
    expect(await whoHears(track)).toEqual(others);
  });

  test("a blocked one remains, with no more than anybody sees of it", async () => {
    const track = await createPlayableTrack(owner, { streamable: false });
    const [activity] = (await activitiesOf(follower, `${AFFILIATED}?limit=1`)).collection;
    expect(activity?.origin).toEqual((await api.as(follower).get(`/tracks/${track.id}`)).body);
    expect(activity?.origin).toMatchObject({ access: "blocked" });
  });

  test("the owner alone learns the secret, and the title stays hidden from those who may not see it", async () => {
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

describe("activities that were undone, or whose actor left, disappear", () => {
  test("a like, a comment, a share", async () => {
    const track = await createPlayableTrack(owner, { sharing: "private" });
    await share(owner, track, [friend, stranger]);
    await like(friend, track);
    const { id } = await createComment(friend, track);
    const names = [`comment ${id}`, `favoriting ${track.id} by ${friend.id}`];
    expect((await happenedTo(owner, OWN)).slice(0, 2)).toEqual(names);
    await unlike(friend, track);
    await api.as(friend).delete(`/tracks/${track.id}/comments/${id}`);
    await share(owner, track, [stranger]);
    expect(await isHeardOf(track, owner)).toBe(false);
    expect(await isHeardOf(track, friend)).toBe(false);
    expect(await isHeardOf(track, stranger)).toBe(true);
  });

  test("disappears with its actor, and returns with them", async () => {
    const mine = await createPlayableTrack(stranger);
    const leaver = await createUser();
    await like(leaver, mine);
    const { id } = await createComment(leaver, mine);
    const names = [`comment ${id}`, `favoriting ${mine.id} by ${leaver.id}`];
    expect(await happenedTo(stranger, OWN)).toEqual(names);
    await leave(leaver);
    expect(await happenedTo(stranger, OWN)).toEqual([]);
    await sql("update users set disabled_at = null where id = $1", [leaver.id]);
    expect(await happenedTo(stranger, OWN)).toEqual(names);
  });

  test("is erased with the rows of its actor or its reader", async () => {
    const [reader, gone] = [await createUser(), await createUser()];
    const mine = await createPlayableTrack(reader);
    await like(gone, mine);
    const track = await createPlayableTrack(owner);
    for (const one of [gone, reader]) await createComment(one, track, { timestamp: 1 });
    const rows = () => sql("select 1 from activities where $1 in (user_id, actor_id)", [gone.id]);
    expect(await rows()).toHaveLength(3);
    await sql("delete from users where id = $1", [gone.id]);
    expect(await rows()).toEqual([]);
    expect(await happenedTo(reader)).toEqual([]);
  });
});

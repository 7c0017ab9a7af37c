import { beforeAll, describe, expect, test } from "vitest";
import type { Comment } from "../../../functions/api/comments/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import type { User } from "../../../functions/api/users/representation.ts";
import { api } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { createComment } from "../comments/comments.support.ts";
import { refusal } from "../tracks/lists.support.ts";
import {
  AFFILIATED,
  ALL,
  activitiesOf,
  EXCLUSIVE,
  follow,
  happenedTo,
  like,
  named,
  OWN,
  share,
  TRACKS,
  taggedFor,
  unlike,
} from "./activities.support.ts";

let ana: Person;
let ben: Person;

beforeAll(async () => {
  [ana, ben] = [await createUser(), await createUser()];
});

describe("activities", () => {
  test("are what others did to one's tracks, and new tracks of followed users, newest first", async () => {
    const [reader, artist, friend, stranger] = [
      await createUser(),
      await createUser(),
      await createUser(),
      await createUser(),
    ];
    await follow(reader, artist);
    const mine = await createPlayableTrack(reader);
    const theirs = await createPlayableTrack(artist);
    await createPlayableTrack(stranger);
    await like(stranger, mine);
    const comment = await createComment(artist, mine);
    const secret = await createPlayableTrack(friend, { sharing: "private" });
    await share(friend, secret, [reader]);
    // A user's own actions are no activities.
    await like(reader, mine);
    await createComment(reader, mine);
    expect(await taggedFor(reader)).toEqual([
      [`track-sharing ${secret.id}`, "exclusive, first"],
      [`comment ${comment.id}`, "own, affiliated"],
      [`favoriting ${mine.id} by ${stranger.id}`, "own"],
      [`track ${theirs.id}`, "affiliated"],
    ]);
    expect(await happenedTo(reader, "/me/activities/all")).toEqual(await happenedTo(reader));
    expect(await happenedTo(reader, OWN)).toEqual([
      `comment ${comment.id}`,
      `favoriting ${mine.id} by ${stranger.id}`,
    ]);
    expect(await happenedTo(reader, TRACKS)).toEqual([`track-sharing ${secret.id}`, `track ${theirs.id}`]);
    expect(await happenedTo(reader, AFFILIATED)).toEqual([`track ${theirs.id}`]);
    expect(await happenedTo(reader, EXCLUSIVE)).toEqual([`track-sharing ${secret.id}`]);
    expect(await happenedTo(stranger)).toEqual([]);
  });

  test("include the track concerned", async () => {
    const [reader, artist] = [await createUser(), await createUser()];
    await follow(reader, artist);
    const mine = await createPlayableTrack(reader);
    const open = await createPlayableTrack(artist);
    const secret = await createPlayableTrack(artist, { sharing: "private" });
    await share(artist, secret, [reader], 'For <you> & "nobody" else');
    const comment = await createComment(artist, mine, { timestamp: 1_000 });
    await like(artist, mine);
    const seen = async <Body>(path: string) => (await api.as(reader).get<Body>(path)).body;
    const whole = await seen<Track>(`/tracks/${mine.id}`);
    const {
      followers_count: _,
      followings_count: __,
      reposts_count: ___,
      ...mini
    } = (await seen<Comment>(`/comments/${comment.id}`)).user;
    const miniTrack = {
      id: mine.id,
      kind: "track",
      urn: whole.urn,
      permalink: whole.permalink,
      title: whole.title,
      last_modified: whole.last_modified,
      uri: whole.uri,
      permalink_url: whole.permalink_url,
      artwork_url: whole.artwork_url,
      user_id: reader.id,
      user: whole.user,
    };
    const [favoriting, said, shared, track] = (await activitiesOf(reader)).collection;
    expect(favoriting?.origin).toEqual({ track: miniTrack, user: mini });
    expect(said).toMatchObject({ type: "comment", created_at: comment.created_at });
    expect(said?.origin).toEqual({ ...(await seen<Comment>(`/comments/${comment.id}`)), track: miniTrack });
    expect(shared?.origin).toEqual({
      ...(await seen<Track>(`/tracks/${secret.id}`)),
      sharing_note: { text: 'For <you> & "nobody" else', created_at: shared?.created_at },
    });
    expect(track?.origin).toEqual(await seen<Track>(`/tracks/${open.id}`));
    expect(mini).toMatchObject({
      id: artist.id,
      username: (await seen<User>(`/users/${artist.id}`)).username,
    });
  });

  test("that are tracks are filtered by access", async () => {
    const [reader, artist] = [await createUser(), await createUser()];
    await follow(reader, artist);
    const said = await createComment(artist, await createPlayableTrack(reader));
    const blocked = await createPlayableTrack(artist, { streamable: false });
    const preview = await createPlayableTrack(artist, { paywall: "preview", sharing: "private" });
    await share(artist, preview, [reader]);
    const open = await createPlayableTrack(artist);
    const names = {
      comment: `comment ${said.id}`,
      blocked: `track ${blocked.id}`,
      preview: `track-sharing ${preview.id}`,
      playable: `track ${open.id}`,
    };
    const of = (access: string) => happenedTo(reader, `${ALL}?access=${access}`);
    expect(await of("playable")).toEqual([names.playable, names.comment]);
    expect(await of("playable,preview")).toEqual([names.playable, names.preview, names.comment]);
    expect(await of("blocked")).toEqual([names.blocked, names.comment]);
    expect(await happenedTo(reader, `${TRACKS}?access=blocked&limit=1`)).toEqual([names.blocked]);
    expect(await happenedTo(reader)).toEqual([names.playable, names.preview, names.blocked, names.comment]);
    expect(await refusal(reader, "access=all", ALL)).toEqual([422, expect.stringMatching(/^access/)]);
  });

  test("say the same in XML", async () => {
    const [reader, artist] = [await createUser(), await createUser()];
    const mine = await createPlayableTrack(reader);
    await like(artist, mine);
    await createComment(artist, mine);
    await share(artist, await createPlayableTrack(artist), [reader]);
    const [json, xml] = [await activitiesOf(reader), await activitiesOf(reader, "/me/activities.xml")];
    expect(xml.collection).toEqual(json.collection);
    expect(xml.future_href).toContain(".xml?");
  });

  test("are a user's alone: 401 without a token or with an app's own; invalid parameters are named", async () => {
    for (const path of [ALL, `${ALL}/all`, OWN, TRACKS, AFFILIATED, EXCLUSIVE]) {
      expect((await api.get(path)).status).toBe(401);
      expect((await api.as(await createAppToken()).get(path)).status).toBe(401);
      expect(await refusal(ana, "limit=0", path)).toEqual([422, expect.stringMatching(/^limit/)]);
      for (const parameter of ["cursor", "uuid[to]"])
        for (const value of ["x", "", "a.b", "'; drop table activities"])
          expect((await refusal(ana, `${new URLSearchParams({ [parameter]: value })}`, path))[0]).toBe(400);
    }
  });

  test("refuse the cursor of another user or list", async () => {
    const mine = await createPlayableTrack(ana);
    await like(ben, mine);
    await like(await createUser(), mine);
    const { next_href = "", future_href } = await activitiesOf(ana, `${OWN}?limit=1`);
    const cursor = new URL(next_href).search;
    const since = new URL(future_href).search;
    for (const search of [cursor, since]) {
      expect((await api.as(ana).get(OWN + search)).status).toBe(200);
      expect((await api.as(ben).get(OWN + search)).status).toBe(400);
      expect((await api.as(ana).get(ALL + search)).status).toBe(400);
    }
  });
});

describe("a like", () => {
  test("appears once however often it was given, and not at all once taken back", async () => {
    const mine = await createPlayableTrack(ana);
    const fan = await createUser();
    for (const _ of [1, 2, 3]) {
      await like(fan, mine);
      await like(fan, mine);
      expect(await happenedTo(ana, `${OWN}?limit=2`)).toContain(`favoriting ${mine.id} by ${fan.id}`);
      await unlike(fan, mine);
      expect(await happenedTo(ana, `${OWN}?limit=2`)).not.toContain(`favoriting ${mine.id} by ${fan.id}`);
    }
    await like(fan, mine);
    const all = await happenedTo(ana, `${OWN}?limit=200`);
    expect(all.filter((name) => name === `favoriting ${mine.id} by ${fan.id}`)).toHaveLength(1);
  });

  test("given fifty times at once is one row", async () => {
    const mine = await createPlayableTrack(ana);
    const fan = await createUser();
    await Promise.all(Array.from({ length: 50 }, () => like(fan, mine)));
    expect(
      await sql("select 1 from activities where user_id = $1 and favored_track_id = $2", [ana.id, mine.id]),
    ).toHaveLength(1);
  });
});

describe("a shared track", () => {
  test("is exclusive among ten recipients, and no longer with eleven", async () => {
    const people = [ben];
    while (people.length < 11) people.push(await createUser());
    const owner = await createUser();
    const shared = await createPlayableTrack(owner, { sharing: "private" });
    await share(owner, shared, people.slice(0, 10));
    expect(await taggedFor(ben, `${EXCLUSIVE}?limit=1`)).toEqual([
      [`track-sharing ${shared.id}`, "exclusive, first"],
    ]);
    await share(owner, shared, people);
    expect(await happenedTo(ben, EXCLUSIVE)).not.toContain(`track-sharing ${shared.id}`);
    for (const one of people)
      expect(await taggedFor(one, `${TRACKS}?limit=1`)).toEqual([[`track-sharing ${shared.id}`, "first"]]);
  });

  test("is marked as the first from a user whom one does not follow", async () => {
    const [reader, owner] = [await createUser(), await createUser()];
    const [one, two] = [await createPlayableTrack(owner), await createPlayableTrack(owner)];
    await share(owner, one, [reader]);
    await share(owner, two, [reader]);
    expect(await taggedFor(reader)).toEqual([
      [`track-sharing ${two.id}`, "exclusive"],
      [`track-sharing ${one.id}`, "exclusive, first"],
    ]);
    await follow(reader, owner);
    expect(await taggedFor(reader, AFFILIATED)).toEqual([
      [`track-sharing ${two.id}`, "affiliated, exclusive"],
      [`track-sharing ${one.id}`, "affiliated, exclusive"],
    ]);
  });

  test("from a followed user is reported once, by the sharing", async () => {
    const [reader, owner] = [await createUser(), await createUser()];
    await follow(reader, owner);
    const older: string[] = [];
    for (const _ of [1, 2, 3]) older.unshift(`track ${(await createPlayableTrack(owner)).id}`);
    const track = await createPlayableTrack(owner);
    await share(owner, track, [reader]);
    for (const path of [ALL, TRACKS, AFFILIATED])
      expect(await happenedTo(reader, path)).toEqual([`track-sharing ${track.id}`, ...older]);
    // Skipped items do not shorten a page.
    const { collection } = await activitiesOf(reader, `${AFFILIATED}?limit=2`);
    expect(collection.map(named)).toEqual([`track-sharing ${track.id}`, older[0]]);
    await share(owner, track, []);
    expect(await happenedTo(reader)).toEqual([`track ${track.id}`, ...older]);
  });

  test("keeps its place and note while recipients are added, and disappears for those removed", async () => {
    const [reader, owner] = [await createUser(), await createUser()];
    const [one, two] = [await createPlayableTrack(owner), await createPlayableTrack(owner)];
    await share(owner, one, [reader], "Mine");
    await share(owner, two, [reader]);
    await share(owner, one, [reader, ben], "Ours");
    const { collection } = await activitiesOf(reader);
    expect(collection.map(named)).toEqual([`track-sharing ${two.id}`, `track-sharing ${one.id}`]);
    expect(collection.map(({ origin }) => "sharing_note" in origin && origin.sharing_note.text)).toEqual([
      null,
      "Ours",
    ]);
    await share(owner, two, [ben]);
    expect(await happenedTo(reader)).toEqual([`track-sharing ${one.id}`]);
  });
});

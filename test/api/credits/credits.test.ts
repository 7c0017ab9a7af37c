import { beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { operate } from "../../support/operate.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack, createReadyUpload, words } from "../../support/tracks.ts";
import {
  accept,
  artistsSeenBy,
  createCreditedTrack,
  credit,
  creditsOf,
  decline,
  type NamedArtist,
} from "./credits.support.ts";

let owner: Person;
let ben: Person;
let other: Person;

beforeAll(async () => {
  [owner, ben, other] = await Promise.all([createUser(), createUser(), createUser()]);
});

describe("the artists of a track", () => {
  const artists: NamedArtist[] = [
    { name: "The Harbour", role: "main" },
    { name: "Lee Park", role: "featured" },
    { name: "Mia Voss", role: "engineer" },
  ];
  const unlinked = artists.map((artist) => ({ ...artist, user_id: null, user: null }));

  test("are kept in their order, and metadata_artist stays what it was", async () => {
    const track = await createPlayableTrack(owner);
    const { body } = await credit(owner, track, artists);
    expect(body.artists).toEqual(unlinked);
    expect(body.metadata_artist).toBe(owner.username);
    expect(await artistsSeenBy(other, track)).toEqual(unlinked);
    expect((await credit(owner, track, null)).body.artists).toEqual([]);
  });

  test("come with a new track, by JSON", async () => {
    const { id } = await createReadyUpload(owner, words());
    const track = { upload_id: id, title: "Credited", artists };
    expect((await api.as(owner).post<Track>("/tracks", { json: { track } })).body.artists).toEqual(unlinked);
  });

  test("come as fields of a form, artist by artist", async () => {
    const track = await createPlayableTrack(owner);
    const raw = new URLSearchParams(
      artists.flatMap(({ name = "", role = "" }) => [
        ["track[artists][][name]", name],
        ["track[artists][][role]", role],
        ["track[artists][][permalink]", ""],
      ]),
    );
    const { body } = await api.as(owner).put<Track>(`/tracks/${track.id}`, {
      raw: raw.toString(),
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
    expect(body.artists).toEqual(unlinked);
  });

  test("survive a client that sends back what it read", async () => {
    const track = await createCreditedTrack(owner, [ben]);
    await accept(ben, track);
    const [asRead] = await artistsSeenBy(owner, track);
    await credit(owner, track, [asRead]);
    expect(await artistsSeenBy(other, track)).toMatchObject([{ user_id: ben.id, role: "producer" }]);
  });

  test("are main artists without a role, and have the user's name without one", async () => {
    const track = await createPlayableTrack(owner);
    const { body } = await credit(owner, track, [{ permalink: `@${ben.username}` }, { name: "Lee" }]);
    expect(body.artists).toMatchObject([
      { name: ben.username, role: "main", user_id: ben.id, state: "pending" },
      { name: "Lee", role: "main", user: null },
    ]);
  });

  test.each<[string, unknown, RegExp]>([
    [
      "an unknown role",
      [{ name: "Lee", role: "boss" }],
      /track\[artists\]\[0\]\[role\]: must be one of main, /,
    ],
    ["no name", [{ role: "main" }], /track\[artists\]\[0\]\[name\]: must not be empty/],
    [
      "an unknown user",
      [{ name: "Lee" }, { user_id: 1 }],
      /track\[artists\]: name a user who does not exist, as artist 2/,
    ],
    [
      "an unknown permalink",
      [{ permalink: "nobody-has-this" }],
      /track\[artists\]: name a user who does not exist, as artist 1/,
    ],
    ["too many", Array.from({ length: 31 }, () => ({ name: "Lee" })), /may hold 30 artists at most/],
    ["words", "Lee", /track\[artists\]/],
  ])("422: %s", async (_, artists, message) => {
    const track = await createPlayableTrack(owner);
    const { status, body } = await credit<ErrorReply>(owner, track, artists);
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringMatching(message)]);
  });
});

test("a user is named by a former address, too", async () => {
  const artist = await createUser();
  const track = await createPlayableTrack(owner);
  await api.as(artist).put("/me/permalink", { json: { permalink: `${artist.username}-now` } });
  const { body } = await credit(owner, track, [{ permalink: artist.username, name: "Renamed" }]);
  expect(body.artists).toMatchObject([{ name: "Renamed", user_id: artist.id, state: "pending" }]);
});

test("a page of credits leads to the next", async () => {
  const [artist, label] = await Promise.all([createUser(), createUser()]);
  const made = [];
  for (let n = 0; n < 3; n++) made.push(await createCreditedTrack(label, [artist]));
  const ids = made.map(({ id }) => id).reverse();
  interface Page {
    collection: { track: Track }[];
    next_href?: string;
  }
  const first = await api.as(artist).get<Page>("/me/credits?limit=2&linked_partitioning=true");
  const next = first.body.next_href ?? expect.unreachable();
  const second = await api.as(artist).get<Page>(next);
  const seen = [first, second].flatMap(({ body }) => body.collection.map(({ track }) => track.id));
  expect(seen).toEqual(ids);
  expect(second.body.next_href).toBeUndefined();
});

test("a track is found by its artists' names, until they are taken off", async () => {
  const track = await createPlayableTrack(owner, { title: "Found" });
  const find = async (q: string) =>
    (await api.as(other).get<Track[]>(`/tracks?q=${q}`)).body.map(({ id }) => id);
  const [name, engineer] = [`zq${track.id}main`, `zq${track.id}desk`];
  await credit(owner, track, [
    { name, role: "featured" },
    { name: engineer, role: "engineer" },
  ]);
  expect(await find(name)).toEqual([track.id]);
  expect(await find(engineer)).toEqual([track.id]);
  await credit(owner, track, []);
  expect(await find(name)).toEqual([]);
});

test("an operator takes the credits off a track, and its owner cannot ask the users again", async () => {
  const track = await createCreditedTrack(owner, [ben]);
  await accept(ben, track);
  const act = ["track uncredit", "--track", String(track.id), "--reason", "He did not play on it"] as const;
  await operate(...act);
  expect(await artistsSeenBy(other, track)).toEqual([]);
  expect((await api.as(other).get<Track>(`/tracks/${track.id}`)).body.sharing).toBe("public");
  await credit(owner, track, [{ name: "Ben", user_id: ben.id }]);
  expect(await artistsSeenBy(owner, track)).toMatchObject([{ state: "declined" }]);
});

test("429: more invitations than the budget, of which each counts a user once", async () => {
  const [label, artist] = await Promise.all([createUser(), createUser()]);
  const track = await createPlayableTrack(label);
  const named = [{ name: "One", user_id: artist.id }];
  expect((await credit(label, track, named)).headers.get("RateLimit")).toMatch(/"credits";r=99;/);
  expect((await credit(label, track, [...named, { name: "Two" }])).headers.get("RateLimit")).toBeNull();
  await sql("update budgets set taken = 100 where bucket like $1", [`credits ${label.id} %`]);
  const { status } = await credit(label, await createPlayableTrack(label), named);
  expect(status).toBe(429);
});

test("an artist who answered for a track is not asked by the one that supersedes it, which operators find by the old id", async () => {
  const [old, taker] = [await createCreditedTrack(owner, [ben, other]), await createPlayableTrack(owner)];
  await decline(ben, old);
  await accept(other, old);
  const [, accepted] = await artistsSeenBy(other, old);
  await credit(owner, taker, [accepted]);
  await api.as(owner).post(`/tracks/${taker.id}/supersede`, { json: { superseded_id: old.id } });
  expect(await artistsSeenBy(owner, taker)).toMatchObject([{ user_id: other.id, state: "accepted" }]);
  await credit(owner, taker, [{ user_id: ben.id, role: "producer" }]);
  const asked = (await creditsOf(ben, "?state=pending")).map((one) => one.track.id);
  expect(asked).not.toContain(taker.id);
  expect(await artistsSeenBy(owner, taker)).toMatchObject([{ user_id: ben.id, state: "declined" }]);
  expect(await operate("track show", "--track", String(old.id))).toMatchObject({ id: taker.id });
});

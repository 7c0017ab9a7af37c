import { beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { UNKNOWN_ID } from "../../lib/http/error-object.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlayableTrack, type StoredTrack } from "../../support/tracks.ts";

let owner: Person;
let friend: Person;
let other: Person;
let app: { token: string };

beforeAll(async () => {
  [owner, friend, other, app] = await Promise.all([
    createUser(),
    createUser(),
    createUser(),
    createAppToken(),
  ]);
});

const hidden = () => createPlayableTrack(owner, { sharing: "private" });

const status = async (who: { token: string }, path: string) => (await api.as(who).get(path)).status;

const share = <Body = SharedTo>({ id }: StoredTrack, users: unknown, note?: unknown, who = owner) =>
  api.as(who).put<Body>(`/tracks/${id}/shared-to/users`, {
    json: { users, ...(note !== undefined && { sharing_note: note }) },
  });

interface SharedTo {
  users: { id: number }[];
  sharing_note: string | null;
}

describe("the secret token", () => {
  interface Secret {
    kind: string;
    token: string;
    uri: string;
    resource_uri: string;
  }

  test("is visible to the owner only, for a public track too", async () => {
    for (const track of [await hidden(), await createPlayableTrack(owner)]) {
      const { body } = await api.as(owner).get<Secret>(`/tracks/${track.id}/secret-token`);
      const uri = `${stack.urls.api}/tracks/${track.id}`;
      expect(body).toEqual({
        kind: "secret-token",
        token: track.secret,
        uri: `${uri}/secret-token`,
        resource_uri: uri,
      });
    }
  });

  test.for(["get", "put"] as const)("%s is refused to everyone else (X12)", async (method) => {
    const [seen, unseen] = [await createPlayableTrack(owner), await hidden()];
    const ask = async (who: { token: string }, id: number) =>
      (await api.as(who)[method](`/tracks/${id}/secret-token`)).status;
    expect(await ask(other, seen.id)).toBe(403);
    expect(await ask(other, unseen.id)).toBe(404);
    expect(await ask(other, UNKNOWN_ID)).toBe(404);
    expect(await ask(app, seen.id)).toBe(401);
    expect(await status(other, `/tracks/${unseen.id}?secret_token=${unseen.secret}`)).toBe(200);
  });

  test("once replaced opens nothing, including earlier links (X80)", async () => {
    const track = await hidden();
    const path = (secret: string) => `/tracks/${track.id}?secret_token=${secret}`;
    const { body: streams } = await api
      .as(other)
      .get<Record<string, string>>(`/tracks/${track.id}/streams?secret_token=${track.secret}`);
    const media = async () => (await fetch(streams.hls_aac_160_url ?? "")).status;
    expect([await status(other, path(track.secret)), await media()]).toEqual([200, 200]);
    const { body } = await api.as(owner).put<Secret>(`/tracks/${track.id}/secret-token`);
    expect(body.token).toMatch(/^s-[0-9A-Za-z]{22}$/);
    expect(body.token).not.toBe(track.secret);
    expect([await status(other, path(track.secret)), await media()]).toEqual([404, 404]);
    expect(await status(other, path(body.token))).toBe(200);
    const { body: shown } = await api.as(owner).get<Track>(`/tracks/${track.id}`);
    expect([shown.secret_token, shown.stream_url]).toEqual([
      body.token,
      `${shown.uri}/stream?secret_token=${body.token}`,
    ]);
  });

  test("makes replies uncacheable and is not part of them (X3)", async () => {
    const track = await hidden();
    const reply = await api.as(other).get<Track>(`/tracks/${track.id}?secret_token=${track.secret}`);
    expect(reply.headers.get("Cache-Control")).toContain("private");
    expect(JSON.stringify(reply.body)).not.toContain(track.secret);
  });
});

describe("sharing with users", () => {
  test("lets them see and hear a private track without its secret", async () => {
    const track = await hidden();
    expect(await status(friend, `/tracks/${track.id}`)).toBe(404);
    const shared = await share(track, [{ id: friend.id }], "Listen!");
    expect(shared.body).toMatchObject({ users: [{ id: friend.id, kind: "user" }], sharing_note: "Listen!" });
    expect((await api.as(owner).get(`/tracks/${track.id}/shared-to/users`)).body).toEqual(shared.body);
    const seen = await api.as(friend).get<Track>(`/tracks/${track.id}`);
    expect([seen.status, seen.body.access, seen.body.secret_token]).toEqual([200, "playable", undefined]);
    const streams = await api.as(friend).get<Record<string, string>>(`/tracks/${track.id}/streams`);
    const media = async () => (await fetch(streams.body.hls_aac_160_url ?? "")).status;
    expect(await media()).toBe(200);
    for (const who of [other, app]) expect(await status(who, `/tracks/${track.id}`)).toBe(404);
    // Recipients may read, but not write.
    const json = { track: { title: "Mine" } };
    expect((await api.as(friend).put(`/tracks/${track.id}`, { json })).status).toBe(403);
    await share(track, []);
    expect([await status(friend, `/tracks/${track.id}`), await media()]).toEqual([404, 404]);
  });

  test("counts against a budget only if it adds somebody", async () => {
    const track = await hidden();
    const counts = async (...people: Person[]) =>
      (
        await share(
          track,
          people.map(({ id }) => ({ id })),
        )
      ).headers.has("RateLimit");
    expect(await counts(friend, other)).toBe(true);
    expect([await counts(friend, other), await counts(friend), await counts()]).toEqual([
      false,
      false,
      false,
    ]);
    expect(await counts(other)).toBe(true);
  });

  test("does not lift a block", async () => {
    const track = await createPlayableTrack(owner, { sharing: "private", streamable: false });
    await share(track, [{ id: friend.id }]);
    expect((await api.as(friend).get<Track>(`/tracks/${track.id}`)).body.access).toBe("blocked");
  });

  test("replaces the previous list, and remaining users keep their places", async () => {
    const track = await hidden();
    const ids = async () => (await api.as(owner).get<SharedTo>(`/tracks/${track.id}/shared-to/users`)).body;
    await share(track, [{ id: friend.id }], "First");
    const [before] = await sql("select id from track_shares where track_id = $1", [track.id]);
    const both = await share(track, [{ id: other.id }, { id: String(friend.id) }, { id: friend.id }]);
    expect(both.status).toBe(200);
    expect((await ids()).users.map(({ id }) => id)).toEqual([friend.id, other.id]);
    expect(
      await sql("select id from track_shares where track_id = $1 and user_id = $2", [track.id, friend.id]),
    ).toEqual([before]);
    await share(track, []);
    expect(await ids()).toEqual({ users: [], sharing_note: null });
  });

  test("is refused to everyone but the owner", async () => {
    const [seen, unseen] = [await createPlayableTrack(owner), await hidden()];
    const own = [{ id: other.id }];
    expect((await share(seen, own, "", other)).status).toBe(403);
    expect((await share(unseen, own, "", other)).status).toBe(404);
    expect(await status(other, `/tracks/${seen.id}/shared-to/users`)).toBe(403);
    expect(await status(other, `/tracks/${unseen.id}/shared-to/users`)).toBe(404);
    await share(unseen, [{ id: friend.id }]);
    expect(await status(friend, `/tracks/${unseen.id}/shared-to/users`)).toBe(403);
  });

  test.for<[string, unknown, unknown]>([
    ["no list", undefined, undefined],
    ["text", "x", undefined],
    ["ids alone", [1], undefined],
    ["an id in words", [{ id: "x" }], undefined],
    ["a negative id", [{ id: -1 }], undefined],
    ["an unknown person", [{ id: UNKNOWN_ID }], undefined],
    ["too many", Array.from({ length: 501 }, (_, id) => ({ id: id + 1 })), undefined],
    ["a note that is no text", [], 5],
    ["a long note", [], "x".repeat(1_001)],
    ["NUL in the note (X28)", [], "a\0"],
  ])("%s is refused, and nothing changes", async ([, users, note]) => {
    const track = await hidden();
    await share(track, [{ id: friend.id }]);
    const reply = await share<ErrorReply>(track, users, note);
    expect(reply.status).toBe(users === undefined ? 400 : 422);
    expect(reply.body.errors[0]?.error_message).toMatch(/^(users|sharing_note)/);
    expect(await status(friend, `/tracks/${track.id}`)).toBe(200);
  });

  test("nobody can share with themselves, or with a user who left", async () => {
    const { id } = await createUser();
    await sql("update users set disabled_at = now() where id = $1", [id]);
    for (const user of [owner.id, id]) expect((await share(await hidden(), [{ id: user }])).status).toBe(422);
  });
});

test("user_favorite is present for users only", async () => {
  const track = await createPlayableTrack(owner);
  await sql("insert into favorites (user_id, track_id) values ($1, $2)", [friend.id, track.id]);
  const readFavorite = async (who: { token: string }) =>
    (await api.as(who).get<Track>(`/tracks/${track.id}`)).body.user_favorite;
  expect([await readFavorite(friend), await readFavorite(other), await readFavorite(app)]).toEqual([
    true,
    false,
    undefined,
  ]);
});

test("the paywall is visible to the owner only", async () => {
  const track = await createPlayableTrack(owner, { paywall: "preview" });
  const { body } = await api.as(owner).get<Track>(`/tracks/${track.id}`);
  expect([body.paywall, body.access]).toEqual(["preview", "playable"]);
  expect((await api.as(other).get(`/tracks/${track.id}`)).body).not.toHaveProperty("paywall");
});

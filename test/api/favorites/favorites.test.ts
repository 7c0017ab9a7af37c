import { beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";

let owner: Person;
let fan: Person;

beforeAll(async () => {
  [owner, fan] = await Promise.all([createUser(), createUser()]);
});

const OK = [200, { status: "200 - OK" }];

const shown = async (who: Person, id: number) => (await api.as(who).get<Track>(`/tracks/${id}`)).body;

const rowsOf = async (table: string, id: number) => {
  const [row] = await sql<{ n: number }>(`select count(*)::int as n from ${table} where track_id = $1`, [id]);
  return row?.n;
};

/** Names of one relation: its path and the method that sets it. */
const NAMES = [
  ["a like", (id: number) => `/likes/tracks/${id}`, "post"],
  ["a favorite", (id: number) => `/me/favorites/${id}`, "put"],
  ["a favorite by the user's id", (id: number) => `/users/${fan.id}/favorites/${id}`, "put"],
] as const;

describe.each(NAMES)("%s", (_, path, set) => {
  test("is set and taken back repeatedly, and visible at once", async () => {
    const { id } = await createPlayableTrack(owner);
    for (let round = 0; round < 2; round++) {
      const reply = await api.as(fan)[set](path(id));
      expect([reply.status, reply.body]).toEqual(OK);
      expect(reply.headers.get("Server-Timing")).toContain("queries: 1");
      expect(await shown(fan, id)).toMatchObject({ user_favorite: true, favoritings_count: 1 });
      expect(await shown(owner, id)).toMatchObject({ user_favorite: false, favoritings_count: 1 });
    }
    for (let round = 0; round < 2; round++) {
      const reply = await api.as(fan).delete(path(id));
      expect([reply.status, reply.body]).toEqual(OK);
      expect(await shown(fan, id)).toMatchObject({ user_favorite: false, favoritings_count: 0 });
    }
  });

  test("is the same under each of its names", async () => {
    const { id } = await createPlayableTrack(owner);
    await api.as(fan)[set](path(id));
    for (const [, other] of NAMES) {
      expect((await api.as(fan).delete(other(id))).status).toBe(200);
      expect(await rowsOf("favorites", id)).toBe(0);
      await api.as(fan)[set](path(id));
    }
  });

  test("accepts a URN and refuses malformed ids", async () => {
    const { id } = await createPlayableTrack(owner);
    const urn = path(id).replace(String(id), `soundcloud:tracks:${id}`);
    expect((await api.as(fan)[set](urn)).status).toBe(200);
    for (const wrong of ["0", "-1", "x", "1e3", "99999999999999999", "soundcloud:users:1"]) {
      const refused = await api.as(fan)[set](path(id).replace(String(id), wrong));
      expect([wrong, refused.status]).toEqual([wrong, 404]);
    }
  });

  test("is 404 for a private track without its secret", async () => {
    const { id, secret } = await createPlayableTrack(owner, { sharing: "private" });
    for (const hidden of [path(1), path(id), `${path(id)}?secret_token=s-wrong`])
      for (const method of [set, "delete"] as const) {
        const reply = await api.as(fan)[method]<ErrorReply>(hidden);
        expect([reply.status, reply.body.errors[0]?.error_message]).toEqual([404, "Track not found"]);
      }
    expect((await api.as(fan)[set](`${path(id)}?secret_token=${secret}`)).status).toBe(200);
    expect(await rowsOf("favorites", id)).toBe(1);
  });

  test("requires a user", async () => {
    const { id } = await createPlayableTrack(owner);
    const app = await createAppToken();
    for (const method of [set, "delete"] as const) {
      expect((await api[method](path(id))).status).toBe(401);
      expect((await api.as(app)[method](path(id))).status).toBe(401);
    }
  });
});

test("cannot be set or taken back for another user (X11)", async () => {
  const { id } = await createPlayableTrack(owner);
  await api.as(fan).put(`/me/favorites/${id}`);
  for (const [path, status] of [
    [`/users/${fan.id}/favorites/${id}`, 403],
    [`/users/1/favorites/${id}`, 404],
    [`/users/${fan.id}/favorites/1`, 404],
  ] as const)
    for (const method of ["put", "delete"] as const) {
      const reply = await api.as(owner)[method](path);
      expect([path, method, reply.status]).toEqual([path, method, status]);
      expect(reply.headers.get("Server-Timing")).toContain("queries: 1");
    }
  expect(await rowsOf("favorites", id)).toBe(1);
});

test("a like of a track that became private can be taken back once", async () => {
  const { id } = await createPlayableTrack(owner);
  await api.as(fan).post(`/likes/tracks/${id}`);
  await api.as(owner).put(`/tracks/${id}`, { json: { track: { sharing: "private" } } });
  expect((await api.as(fan).post(`/likes/tracks/${id}`)).status).toBe(404);
  expect((await api.as(fan).delete(`/likes/tracks/${id}`)).status).toBe(200);
  expect((await api.as(fan).delete(`/likes/tracks/${id}`)).status).toBe(404);
});

test("one favorite is the track, or 404", async () => {
  const { id } = await createPlayableTrack(owner);
  const app = await createAppToken();
  const paths = [`/me/favorites/${id}`, `/users/${fan.id}/favorites/${id}`];
  for (const path of paths) expect((await api.as(fan).get(path)).status).toBe(404);
  await api.as(fan).put(`/me/favorites/${id}`);
  const track = await shown(fan, id);
  for (const path of paths) {
    const { status, body } = await api.as(fan).get<Track>(path);
    expect([status, body.id, body.user_favorite]).toEqual([200, track.id, true]);
  }
  const { body } = await api.as(app).get<Track>(`/users/${fan.id}/favorites/${id}`);
  expect([body.id, body.user_favorite]).toEqual([id, undefined]);
  await sql("update tracks set sharing = 'private' where id = $1", [id]);
  for (const path of paths) expect((await api.as(fan).get(path)).status).toBe(404);
  expect((await api.as(owner).get(`/users/${fan.id}/favorites/${id}`)).status).toBe(200);
});

test("a repost is made once, and taken back", async () => {
  const { id, secret } = await createPlayableTrack(owner);
  for (let round = 0; round < 2; round++) {
    const { status, body } = await api.as(fan).post(`/reposts/tracks/${id}`);
    expect([status, body]).toEqual([201, { status: "201 - Created" }]);
    expect(await rowsOf("reposts", id)).toBe(1);
  }
  expect(await rowsOf("favorites", id)).toBe(0);
  for (let round = 0; round < 2; round++) {
    const { status, body } = await api.as(fan).delete(`/reposts/tracks/${id}`);
    expect([status, body]).toEqual(OK);
    expect(await rowsOf("reposts", id)).toBe(0);
  }
  await sql("update tracks set sharing = 'private' where id = $1", [id]);
  for (const method of ["post", "delete"] as const) {
    expect((await api.as(fan)[method](`/reposts/tracks/${id}`)).status).toBe(404);
    expect((await api[method](`/reposts/tracks/${id}`)).status).toBe(401);
  }
  expect((await api.as(fan).post(`/reposts/tracks/${id}?secret_token=${secret}`)).status).toBe(201);
});

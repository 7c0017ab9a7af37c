import { beforeAll, describe, expect, test } from "vitest";
import { api, type ErrorReply } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlaylist, playlistOf } from "./playlists.ts";

let owner: Person;
let fan: Person;

beforeAll(async () => {
  [owner, fan] = await Promise.all([createUser(), createUser()]);
});

const hide = (id: number) =>
  api.as(owner).put(`/playlists/${id}`, { json: { playlist: { sharing: "private" } } });

/** Path, reply when it is set, and counter. */
const KINDS = [
  ["a like", (id: number | string) => `/likes/playlists/${id}`, [200, "200 - OK"], "likes_count"],
  ["a repost", (id: number | string) => `/reposts/playlists/${id}`, [201, "201 - Created"], "reposts_count"],
] as const;

describe.each(KINDS)("%s of a playlist", (_, path, [status, sentence], counter) => {
  const counted = async (id: number) => (await playlistOf(owner, id))[counter];

  test("is set and taken back repeatedly, and counts at once", async () => {
    const { id } = await createPlaylist(owner);
    for (let round = 0; round < 2; round++) {
      const reply = await api.as(fan).post(path(id));
      expect([reply.status, reply.body]).toEqual([status, { status: sentence }]);
      expect(await counted(id)).toBe(1);
    }
    await api.as(owner).post(path(id));
    expect(await counted(id)).toBe(2);
    for (let round = 0; round < 2; round++) {
      const reply = await api.as(fan).delete(path(id));
      expect([reply.status, reply.body]).toEqual([200, { status: "200 - OK" }]);
      expect(await counted(id)).toBe(1);
    }
  });

  test("is independent of the other", async () => {
    const { id } = await createPlaylist(owner);
    await api.as(fan).post(path(id));
    const other = KINDS.flatMap(([, , , name]) => (name === counter ? [] : [name]));
    for (const name of other) expect((await playlistOf(fan, id))[name]).toBe(0);
  });

  test("accepts a URN and refuses malformed ids", async () => {
    const { id, urn } = await createPlaylist(owner);
    expect((await api.as(fan).post(path(urn))).status).toBe(status);
    expect(await counted(id)).toBe(1);
    for (const wrong of ["0", "-1", "x", "1e3", "99999999999999999", "soundcloud:tracks:1"]) {
      const refused = await api.as(fan).post(path(wrong));
      expect([wrong, refused.status]).toEqual([wrong, 404]);
    }
  });

  test("is 404 for a private playlist without its secret", async () => {
    const { id, secret_token } = await createPlaylist(owner, { sharing: "private" });
    for (const hidden of [path(1), path(id), `${path(id)}?secret_token=s-wrong`])
      for (const method of ["post", "delete"] as const) {
        const reply = await api.as(fan)[method]<ErrorReply>(hidden);
        expect([reply.status, reply.body.errors[0]?.error_message]).toEqual([404, "Playlist not found"]);
      }
    expect(await counted(id)).toBe(0);
    for (const method of ["delete", "post"] as const) {
      const opened = await api.as(fan)[method](`${path(id)}?secret_token=${secret_token}`);
      expect(opened.status).toBe(method === "post" ? status : 200);
    }
    expect(await counted(id)).toBe(1);
  });

  test("can be taken back once after its playlist became private", async () => {
    const { id } = await createPlaylist(owner);
    await api.as(fan).post(path(id));
    await hide(id);
    expect((await api.as(fan).post(path(id))).status).toBe(404);
    expect((await api.as(fan).delete(path(id))).status).toBe(200);
    expect(await counted(id)).toBe(0);
    expect((await api.as(fan).delete(path(id))).status).toBe(404);
  });

  test("can be taken back after the playlist's owner left", async () => {
    const gone = await createUser();
    const { id } = await createPlaylist(gone);
    await api.as(fan).post(path(id));
    await sql("update users set disabled_at = now() where id = $1", [gone.id]);
    expect((await api.as(fan).post(path(id))).status).toBe(404);
    expect((await api.as(fan).delete(path(id))).status).toBe(200);
  });

  test("requires a user", async () => {
    const { id } = await createPlaylist(owner);
    const app = await createAppToken();
    for (const method of ["post", "delete"] as const) {
      expect((await api[method](path(id))).status).toBe(401);
      expect((await api.as(app)[method](path(id))).status).toBe(401);
    }
  });
});

import { beforeAll, describe, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlayableTrack, createReadyUpload, createTrack, words } from "../../support/tracks.ts";
import { createPlaylist } from "../playlists/playlists.ts";

let ana: Person;
let ben: Person;

interface Address {
  permalink: string;
  permalink_url: string;
  former_permalinks: string[];
}

beforeAll(async () => {
  [ana, ben] = [await createUser(), await createUser()];
});

const change = <Body = Address>(who: Person, path: string, permalink: unknown, headers = {}) =>
  api.as(who).put<Body>(`${path}/permalink`, { json: { permalink }, headers });

const permalinkOf = async (id: number) => (await api.as(ana).get<Track>(`/tracks/${id}`)).body.permalink;

const retitle = (id: number, title: string) =>
  api.as(ana).put(`/tracks/${id}`, { json: { track: { title } } });

describe("PUT /tracks/{id}/permalink", () => {
  test("changes the address, and lists the former ones, the latest first", async () => {
    const { id } = await createPlayableTrack(ana, { permalink: "first" });
    await change(ana, `/tracks/${id}`, "second");
    const { status, body } = await change(ana, `/tracks/${id}`, "Third");
    expect([status, body]).toEqual([
      200,
      {
        kind: "permalink",
        permalink: "third",
        permalink_url: `${stack.urls.api}/${ana.username}/third`,
        former_permalinks: ["second", "first"],
      },
    ]);
    expect((await api.as(ana).get(`/tracks/${id}/permalink`)).body).toEqual(body);
    expect(await permalinkOf(id)).toBe("third");
  });

  test("goes back to a former address, which is then the present one", async () => {
    const { id } = await createPlayableTrack(ana, { permalink: "there" });
    await change(ana, `/tracks/${id}`, "and-back");
    const { body } = await change(ana, `/tracks/${id}`, "there");
    expect([body.permalink, body.former_permalinks]).toEqual(["there", ["and-back"]]);
  });

  test("keeps the hundred latest former ones, and takes none from another track", async () => {
    const moving = await createPlayableTrack(ana);
    const other = await createPlayableTrack(ana, { permalink: "never-shared" });
    await change(ana, `/tracks/${other.id}`, "moved-before");
    for (let move = 0; move <= 101; move++)
      await sql("update tracks set permalink = $2 where id = $1", [moving.id, `move-${move}`]);
    const former = async ({ id }: { id: number }) =>
      (await api.as(ana).get<Address>(`/tracks/${id}/permalink`)).body.former_permalinks;
    expect(await former(moving)).toEqual(Array.from({ length: 100 }, (_, at) => `move-${100 - at}`));
    expect(await former(other)).toEqual(["never-shared"]);
  });

  test("422: an address that another track of the owner has, or had", async () => {
    const holder = await createPlayableTrack(ana, { permalink: "held" });
    const other = await createPlayableTrack(ana, { permalink: "other" });
    const moved = async (to: string) =>
      change<ErrorReply>(ana, `/tracks/${other.id}`, to).then(({ status, body }) => [
        status,
        body.errors?.[0]?.error_message,
      ]);
    const taken = [422, "permalink: is taken, or was and leads there still; choose another"];
    expect(await moved("held")).toEqual(taken);
    await change(ana, `/tracks/${holder.id}`, "held-elsewhere");
    expect(await moved("held")).toEqual(taken);
    await api.as(ana).delete(`/tracks/${holder.id}`);
    expect((await moved("held"))[0]).toBe(200);
  });

  test("422: reserved words, other letters, and nothing, each named", async () => {
    const { id } = await createPlayableTrack(ana);
    for (const wrong of ["sets", "Likes", "a b", "ä", "a/b", "-a", "a.b", "", "x".repeat(101), 7, null]) {
      const { status, body } = await change<ErrorReply>(ana, `/tracks/${id}`, wrong);
      expect([wrong, status]).toEqual([wrong, 422]);
      expect(body.errors[0]?.error_message).toMatch(/^permalink: /);
    }
  });

  test("is the owner's: 403 for others, 404 where they see nothing, and 412 after another change", async () => {
    const open = await createPlayableTrack(ana);
    const hidden = await createPlayableTrack(ana, { sharing: "private" });
    expect((await change(ben, `/tracks/${open.id}`, "stolen")).status).toBe(403);
    expect((await change(ben, `/tracks/${hidden.id}`, "stolen")).status).toBe(404);
    expect((await api.as(ben).get(`/tracks/${open.id}/permalink`)).status).toBe(403);
    expect((await api.as(ben).get(`/tracks/${hidden.id}/permalink`)).status).toBe(404);
    const { headers } = await api.as(ana).get(`/tracks/${open.id}`);
    await retitle(open.id, "Changed since");
    const match = { "If-Match": headers.get("ETag") ?? "" };
    expect((await change(ana, `/tracks/${open.id}`, "late", match)).status).toBe(412);
  });

  test("a permalink that a client sends back with a track changes nothing", async () => {
    const { id } = await createPlayableTrack(ana, { permalink: "kept-as-is" });
    const { body } = await api.as(ana).get<Track>(`/tracks/${id}`);
    const sent = { ...body, permalink: "stale", title: "Read and written" };
    expect((await api.as(ana).put(`/tracks/${id}`, { json: { track: sent } })).status).toBe(200);
    expect(await permalinkOf(id)).toBe("kept-as-is");
  });
});

describe("the title", () => {
  test("leads the address until the first publication, and never after it", async () => {
    const { id } = await createTrack(ana, { permalink: "working-title", sharing: "private" });
    await retitle(id, "Night Train");
    expect(await permalinkOf(id)).toBe("night-train");
    await api.as(ana).put(`/tracks/${id}`, { json: { track: { sharing: "public" } } });
    await retitle(id, "Day Train");
    expect(await permalinkOf(id)).toBe("night-train");
    await api
      .as(ana)
      .put(`/tracks/${id}`, { json: { track: { sharing: "private", title: "Hidden Train" } } });
    await retitle(id, "Last Train");
    expect(await permalinkOf(id)).toBe("night-train");
  });

  test("leads it no more once the owner chose one", async () => {
    const { id } = await createTrack(ana, { sharing: "private" });
    await change(ana, `/tracks/${id}`, "chosen");
    await retitle(id, "Something else");
    expect(await permalinkOf(id)).toBe("chosen");
  });

  test("leads it to a numbered one where another track has it, or had it", async () => {
    const former = await createPlayableTrack(ana, { permalink: "twin" });
    await change(ana, `/tracks/${former.id}`, "only-child");
    const draft = await createTrack(ana, { sharing: "private" });
    await retitle(draft.id, "Twin");
    expect(await permalinkOf(draft.id)).toBe("twin-1");
    const { id: upload_id } = await createReadyUpload(ana, words());
    const { body } = await api
      .as(ana)
      .post<Track>("/tracks", { json: { track: { upload_id, title: "Twin" } } });
    expect(body.permalink).toBe("twin-2");
  });
});

test("a playlist's address changes alike, and follows the title of one that was never public", async () => {
  const draft = await createPlaylist(ana, { title: "Drafts", sharing: "private" });
  const renamed = await api
    .as(ana)
    .put<Playlist>(`/playlists/${draft.id}`, { json: { playlist: { title: "Songs" } } });
  expect(renamed.body.permalink).toBe("songs");
  const { status, body } = await change(ana, `/playlists/${draft.id}`, "chosen-songs");
  expect([status, body.permalink_url]).toEqual([200, `${stack.urls.api}/${ana.username}/sets/chosen-songs`]);
  expect(body.former_permalinks).toEqual(["songs", "drafts"]);
  const other = await createPlaylist(ana, { title: "Other" });
  expect((await change(ana, `/playlists/${other.id}`, "songs")).status).toBe(422);
  expect((await change(ben, `/playlists/${other.id}`, "stolen")).status).toBe(403);
  expect((await change(ben, `/playlists/${draft.id}`, "stolen")).status).toBe(404);
  expect((await api.as(ana).get(`/playlists/${draft.id}/permalink`)).body).toEqual(body);
});

test("of two tracks that want one address at once, one gets it", async () => {
  const tracks = [await createPlayableTrack(ana), await createPlayableTrack(ana)];
  const statuses = await Promise.all(
    tracks.map(async ({ id }) => (await change(ana, `/tracks/${id}`, "wanted-by-two")).status),
  );
  expect(statuses.sort()).toEqual([200, 422]);
});

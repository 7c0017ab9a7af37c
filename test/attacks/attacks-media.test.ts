import { afterAll, beforeAll, expect, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { api, type ErrorReply } from "../support/api.ts";
import { createAppToken, createUser, type Person } from "../support/people.ts";
import { casesOf } from "../support/repeats.ts";
import { playlistsNaming, startStranger } from "../support/stranger.ts";
import { createReadyUpload, createTrack, shortWav, uploadTrack, waitForEncode } from "../support/tracks.ts";

let ana: Person;
let stranger: Awaited<ReturnType<typeof startStranger>>;

beforeAll(async () => {
  [ana, stranger] = await Promise.all([createUser({ plan: "artist" }), startStranger()]);
});
afterAll(() => stranger?.close());

test("playlists sent as audio fail, and their addresses are never requested (X56)", async () => {
  const ids: number[] = [];
  for (const text of Object.values(playlistsNaming(stranger)))
    ids.push((await uploadTrack(ana, new Blob([text]))).id);
  for (const { state, encoding } of await Promise.all(ids.map((id) => waitForEncode(ana, id))))
    expect([state, encoding?.reason?.code]).toEqual(["failed", "unsupported_format"]);
  expect(stranger.visits()).toBe(0);
});

const OPTIONS = [
  "-i /etc/passwd",
  "$(id) `id` | id && id",
  "../../x",
  "a\n-i /etc/passwd",
  "-f lavfi -i sine",
  ";rm -rf /",
  "%d %s",
];

test.for(casesOf(4, OPTIONS))("%j is only a title, a file name and metadata (X60)", async (text) => {
  const upload = await createReadyUpload(ana, shortWav(), `${text.replaceAll(/[/\n]/g, "_")}.wav`);
  const json = { track: { upload_id: upload.id, title: text, genre: text } };
  const made = await api.as(ana).post<Track>("/tracks", { json });
  expect(made.status).toBe(201);
  expect(await waitForEncode(ana, made.body.id)).toMatchObject({
    state: "finished",
    title: text,
    genre: text,
    duration: 500,
  });
});

test("an app that enumerates ids finds public tracks only (X72)", async () => {
  const app = api.as(await createAppToken());
  const kinds = ["public", "private", "public", "private", "private"];
  const ids: number[] = [];
  for (const sharing of kinds) ids.push((await createTrack(ana, { sharing })).id);
  const walk = [...new Set(ids.flatMap((id) => [id - 1, id, id + 1]))];
  const nowhere = await app.get<ErrorReply>(`/tracks/${2 ** 52}`);
  for (const id of walk) {
    const { status, headers, body } = await app.get<Track & ErrorReply>(`/tracks/${id}`);
    if (status === 200) expect(body.sharing).toBe("public");
    else expect([status, body]).toEqual([404, { ...nowhere.body, request_id: headers.get("X-Request-Id") }]);
    const sharing = kinds[ids.indexOf(id)];
    if (sharing) expect(status).toBe(sharing === "public" ? 200 : 404);
  }
  const listed = await app.get<Track[]>(`/tracks?ids=${walk.join()}`);
  const found = listed.body.map(({ id }) => id);
  expect(found.filter((id) => ids.includes(id)).sort()).toEqual(
    ids.filter((_, n) => kinds[n] === "public").sort(),
  );
});

import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { isGarbage } from "../../encoding/sweep.support.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createForm, createJpeg, createPng, GREEN, gifOf, pngOf, SVG } from "../../support/images.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createReadyUpload, createTrack, words } from "../../support/tracks.ts";

let ana: Person;
beforeAll(async () => {
  ana = await createUser();
});

const ARTWORK = "track[artwork_data]";

const put = (id: number, fields: Record<string, Uint8Array | string>, who = ana) =>
  api.as(who).put<Track & ErrorReply>(`/tracks/${id}`, createForm(fields));

const get = async (id: number) => (await api.as(ana).get<Track>(`/tracks/${id}`)).body;

const becameGarbage = (url: string | null) =>
  isGarbage("media", `images/${/images\/([0-9a-f]+)-/.exec(url ?? "")?.[1]}/`);

const SIZES = {
  t1400x1400: 1400,
  t500x500: 500,
  crop: 400,
  t300x300: 300,
  large: 100,
  t67x67: 67,
  badge: 47,
  small: 32,
  tiny: 20,
  mini: 16,
};

test("artwork arrives with a multipart upload, in every format of the specification's table", async () => {
  const audio = new Uint8Array(await words().arrayBuffer());
  const form = createForm({
    "track[title]": "Covered",
    [ARTWORK]: await createPng(700, 500),
    "track[asset_data]": audio,
  });
  const { status, body } = await api.as(ana).post<Track>("/tracks", form);
  expect(status).toBe(201);
  for (const [format, side] of Object.entries(SIZES)) {
    const reply = await fetch((body.artwork_url ?? "").replace("large", format));
    const { width, height, format: kind } = await sharp(await reply.arrayBuffer()).metadata();
    expect([format, kind, width, height]).toEqual([format, "jpeg", side, side]);
  }
  expect(await becameGarbage(body.artwork_url)).toBe(false);
  expect((await get(body.id)).artwork_url).toBe(body.artwork_url);
});

test("artwork arrives with a track of an upload session", async () => {
  const upload = await createReadyUpload(ana, words());
  const fields = { "track[title]": "Covered", "track[upload_id]": String(upload.id) };
  const { status, body } = await api
    .as(ana)
    .post<Track>("/tracks", createForm({ ...fields, [ARTWORK]: await createJpeg() }));
  expect([status, (await fetch(body.artwork_url ?? "")).status]).toEqual([201, 200]);
  expect((await api.as(ana).post<Track>("/tracks", createForm(fields))).body.id).toBe(body.id);
});

test("artwork is changed alone or with other fields, and the replaced files become garbage", async () => {
  const { id } = await createTrack(ana);
  const first = await put(id, { [ARTWORK]: await createJpeg() });
  expect([first.status, first.body.title]).toEqual([200, "A stored song"]);
  const second = await put(id, { [ARTWORK]: gifOf(1, 1, 2), "track[title]": "Renamed" });
  expect(second.body).toMatchObject({ title: "Renamed" });
  expect(second.body.artwork_url).not.toBe(first.body.artwork_url);
  expect(await becameGarbage(first.body.artwork_url)).toBe(true);
  expect(await becameGarbage(second.body.artwork_url)).toBe(false);
  // Other changes leave it unchanged.
  const third = await api.as(ana).put<Track>(`/tracks/${id}`, { json: { track: { title: "Again" } } });
  expect(third.body.artwork_url).toBe(second.body.artwork_url);
  await api.as(ana).delete(`/tracks/${id}`);
  expect(await becameGarbage(second.body.artwork_url)).toBe(true);
});

test("null removes artwork, its files become garbage, and text is no picture", async () => {
  const { id } = await createTrack(ana);
  const { body: covered } = await put(id, { [ARTWORK]: await createJpeg() });
  const send = (artwork_data: unknown) =>
    api.as(ana).put<Track>(`/tracks/${id}`, { json: { track: { artwork_data } } });
  expect((await send("abc")).status).toBe(422);
  expect((await get(id)).artwork_url).toBe(covered.artwork_url);
  expect((await send(null)).body.artwork_url).toBeNull();
  expect(await becameGarbage(covered.artwork_url)).toBe(true);
});

test("another user's track keeps its artwork", async () => {
  const { id } = await createTrack(ana);
  const before = await put(id, { [ARTWORK]: await createPng(9, 9, GREEN) });
  const stranger = await createUser();
  expect((await put(id, { [ARTWORK]: await createJpeg() }, stranger)).status).toBe(403);
  expect(await get(id)).toEqual(before.body);
});

test.each([
  ["SVG (X48)", () => SVG, "is not a JPEG, PNG or GIF image"],
  ["400 megapixels in 50 kB (X61)", () => pngOf(20_000, 20_000), "is 20000 by 20000 pixels"],
  ["a GIF of 10,000 frames (X61)", () => gifOf(9, 9, 10_000), "has 10000 frames"],
])("%s as artwork is refused, and nothing is changed or created", async (_what, picture, reason) => {
  const { id } = await createTrack(ana);
  const before = await get(id);
  const changed = await put(id, { "track[title]": "Other", [ARTWORK]: picture() });
  expect([changed.status, changed.body.errors[0]?.error_message]).toEqual([
    422,
    expect.stringContaining(`${ARTWORK}: ${reason}`),
  ]);
  expect(await get(id)).toEqual(before);
  const count = () => sql("select count(*) from tracks where user_id = $1", [ana.id]);
  const tracks = await count();
  const audio = new Uint8Array(await words().arrayBuffer());
  const form = createForm({ "track[title]": "New", "track[asset_data]": audio, [ARTWORK]: picture() });
  expect((await api.as(ana).post("/tracks", form)).status).toBe(422);
  expect(await count()).toEqual(tracks);
});

test("JSON cannot carry files", async () => {
  const { id } = await createTrack(ana);
  const json = { track: { artwork_data: "R0lGODlhAQABAAAAACw=" } };
  const { status, body } = await api.as(ana).put<ErrorReply>(`/tracks/${id}`, { json });
  expect([status, body.errors[0]?.error_message]).toEqual([422, expect.stringContaining(ARTWORK)]);
});

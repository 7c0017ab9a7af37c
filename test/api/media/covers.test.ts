import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api } from "../../support/api.ts";
import { createForm } from "../../support/images.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlayableTrack, createTrack, putMedia, type StoredTrack } from "../../support/tracks.ts";
import { get } from "./media-files.ts";

let ana: Person;
beforeAll(async () => {
  ana = await createUser();
});

/** A finished track without artwork, with a waveform. */
async function createSound(columns: Record<string, unknown> = {}): Promise<StoredTrack> {
  const track = await createPlayableTrack(ana, columns);
  const samples = Array.from({ length: 1_800 }, (_, at) => Math.round(140 + 140 * Math.sin(at / 50)));
  await putMedia(
    `${track.prefix}waveform.json`,
    Buffer.from(JSON.stringify({ width: 1_800, height: 280, samples })),
  );
  return track;
}

const read = async (id: number, query = "") => (await api.as(ana).get<Track>(`/tracks/${id}${query}`)).body;

const coverOf = (waveform: string | null, file = "cover.svg") =>
  (waveform ?? "").replace("waveform.png", file);

test("a track without artwork has a cover of its sound beside its waveform, and `artwork_url` stays null", async () => {
  const track = await read((await createSound()).id);
  expect(track.artwork_url).toBeNull();
  const { status, headers, bytes } = await get(coverOf(track.waveform_url));
  expect([status, headers.get("Content-Type")]).toEqual([200, "image/svg+xml"]);
  expect(headers.get("Cache-Control")).toBe("public, max-age=604800");
  expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  expect(await sharp(bytes).metadata()).toMatchObject({ format: "svg", width: 1_000, height: 1_000 });
  const again = await get(coverOf(track.waveform_url), { "If-None-Match": headers.get("ETag") ?? "" });
  expect(again.status).toBe(304);
  for (const [format, side] of [
    ["t500x500", 500],
    ["t1400x1400", 1_400],
    ["mini", 16],
  ] as const) {
    const png = await get(coverOf(track.waveform_url, `cover/${format}.png`));
    expect(await sharp(png.bytes).metadata()).toMatchObject({ format: "png", width: side, height: side });
  }
});

test("a private track's cover is as hidden as its waveform, and a new secret closes the old address", async () => {
  const hidden = await createSound({ sharing: "private" });
  const open = await createSound();
  const [mine, theirs] = [await read(hidden.id), await read(open.id)];
  const cover = coverOf(mine.waveform_url);
  const shown = await get(cover);
  expect([shown.status, shown.headers.get("Cache-Control")]).toEqual([200, "private, no-cache"]);
  const token = /media\/([^/]+)\//.exec(cover)?.[1] ?? "";
  const theirToken = /media\/([^/]+)\//.exec(coverOf(theirs.waveform_url))?.[1] ?? "";
  for (const guess of [
    cover.replace(token, String(hidden.id)),
    cover.replace(token, theirToken.replace(String(open.id), String(hidden.id))).replace(theirToken, "x"),
    cover.replace(token, `${token.split(".")[0]}.${theirToken.split(".")[1]}`),
  ])
    expect((await get(guess)).status, guess).toBe(404);
  await sql("update tracks set secret_hash = sha256('another') where id = $1", [hidden.id]);
  for (const file of ["cover.svg", "cover/t500x500.png"])
    expect((await get(coverOf(mine.waveform_url, file))).status).toBe(404);
});

test("422: a cover in a format that covers do not have", async () => {
  const { waveform_url } = await read((await createSound()).id);
  for (const file of ["cover/constructor.png", "cover/t67x67.png", "cover/.png", "cover/t500x500.jpg"])
    expect([404, 422], file).toContain((await get(coverOf(waveform_url, file))).status);
});

test("what has no sound yet has a pattern of its id, which tells nothing about it", async () => {
  const { id } = await createTrack(ana, { sharing: "private" });
  const at = (file: string) => get(`${stack.urls.api}/images/${file}`);
  const [own, nobodys] = [await at(`pattern-${id}.svg`), await at("pattern-1.svg")];
  expect([own.status, nobodys.status]).toEqual([200, 200]);
  expect(own.bytes).not.toEqual(nobodys.bytes);
  expect(own.headers.get("Content-Type")).toBe("image/svg+xml");
  const png = await at(`pattern-${id}-t300x300.png`);
  expect(await sharp(png.bytes).metadata()).toMatchObject({ format: "png", width: 300 });
  for (const wrong of [
    "pattern-0.svg",
    "pattern-x.svg",
    `pattern-${id}-t9.png`,
    `pattern-${id}-t300x300.svg`,
    `pattern-${"9".repeat(17)}.svg`,
  ])
    expect([404, 422], wrong).toContain((await at(wrong)).status);
});

test("a finished track whose waveform is lost has the pattern of its id", async () => {
  const lost = await read((await createPlayableTrack(ana)).id);
  const [cover, pattern] = [
    await get(coverOf(lost.waveform_url)),
    await get(`${stack.urls.api}/images/pattern-${lost.id}.svg`),
  ];
  expect([cover.status, cover.bytes]).toEqual([200, pattern.bytes]);
});

test("artwork brings its colours and WebPs for large screens in the same write, and they leave with it", async () => {
  const { id } = await createTrack(ana);
  const picture = await sharp({ create: { width: 900, height: 900, channels: 3, background: "#203040" } })
    .composite([
      {
        input: await sharp({ create: { width: 300, height: 300, channels: 3, background: "#e02030" } })
          .png()
          .toBuffer(),
      },
    ])
    .png()
    .toBuffer();
  const form = createForm({ "track[artwork_data]": picture });
  const { artwork_url } = (await api.as(ana).put<Track>(`/tracks/${id}`, form)).body;
  const [, ground = "", wave] =
    /\/images\/[0-9a-f]{32}-([0-9a-f]{6})([0-9a-f]{6})[0-9a-f]{6}-large\.jpg$/.exec(artwork_url ?? "") ?? [];
  expect(ground).toBe("203040");
  // Scaling mixes a pixel or two along the edges.
  expect(wave).toMatch(/^[de].[12].[23].$/);
  for (const side of [640, 1_000]) {
    const { headers, bytes } = await get((artwork_url ?? "").replace("large.jpg", `t${side}x${side}.webp`));
    expect(headers.get("Content-Type")).toBe("image/webp");
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", width: side, height: side });
  }
  // The colours in an address choose no file.
  expect((await get((artwork_url ?? "").replace(ground, "ffffff"))).status).toBe(200);
  expect((await get((artwork_url ?? "").replace(/-[0-9a-f]{18}-/, "-"))).status).toBe(200);
  const renamed = await api.as(ana).put<Track>(`/tracks/${id}`, { json: { track: { title: "Renamed" } } });
  expect(renamed.body.artwork_url).toBe(artwork_url);
  await api.as(ana).put(`/tracks/${id}`, { json: { track: { artwork_data: null } } });
  expect(await sql("select artwork_version, artwork_colors from tracks where id = $1", [id])).toEqual([
    { artwork_version: null, artwork_colors: null },
  ]);
});

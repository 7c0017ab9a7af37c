import { spawnSync } from "node:child_process";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { ffmpeg } from "../../support/ffmpeg.ts";
import { apic, id3Tag } from "../../support/id3.ts";
import { createJpeg, createPng, SVG } from "../../support/images.ts";
import { createUser, type Person } from "../../support/people.ts";
import { makeSources } from "../../support/sources.ts";
import { sql } from "../../support/stack.ts";
import { uploadTrack, waitForEncode } from "../../support/tracks.ts";

interface Chapters {
  source: string;
  chapters: { title?: string; img?: string }[];
}

let ana: Person;
let sound: Buffer;
beforeAll(async () => {
  ana = await createUser();
  const { wav } = await makeSources();
  const untagged = ["-id3v2_version", "0", "-write_xing", "0", "-f", "mp3", "pipe:1"];
  sound = spawnSync(ffmpeg.path, ["-v", "error", "-i", wav.path, "-c:a", "libmp3lame", ...untagged]).stdout;
});

const CUTS = [0, 500, 1_000, 1_500];

/** An MP3 of one chapter for each image. */
function fileWith(images: Uint8Array[]): Blob {
  const chapters = images.map((image, at) => ({
    start: CUTS[at] ?? 0,
    end: CUTS[at + 1] ?? 2_000,
    title: `Part ${at + 1}`,
    apic: apic(image),
  }));
  return new Blob([new Uint8Array(id3Tag(chapters)), new Uint8Array(sound)]);
}

const chaptersOf = async (id: number) => (await api.as(ana).get<Chapters>(`/tracks/${id}/chapters`)).body;

const prefixOf = (url = "") => `images/${/images\/([0-9a-f]+)-/.exec(url)?.[1]}/`;

test("chapters of an MP3 have their pictures, as squares, and one picture is stored once", async () => {
  const [red, blue] = [await createPng(300, 200), await createJpeg(90, 90)];
  const { id, state } = await waitForEncode(ana, (await uploadTrack(ana, fileWith([red, blue, red]))).id);
  const { source, chapters } = await chaptersOf(id);
  const [first = "", second = "", third] = chapters.map(({ img }) => img);
  expect([state, source, chapters.map(({ title }) => title)]).toEqual([
    "finished",
    "file",
    ["Part 1", "Part 2", "Part 3"],
  ]);
  expect(third).toBe(first);
  expect(second).not.toBe(first);
  const { width, height } = await sharp(await (await fetch(first)).arrayBuffer()).metadata();
  expect([width, height]).toEqual([1_000, 1_000]);
  expect(await sql("select from object_garbage where prefix = $1", [prefixOf(first)])).toEqual([]);
  const owned = "select kind from stored_objects where prefix = $1 and user_id = $2";
  expect(await sql(owned, [prefixOf(first), ana.id])).toEqual([{ kind: "picture" }]);
  await api.as(ana).delete(`/tracks/${id}/chapters`);
  expect(
    await sql("select from object_garbage where prefix = $1 and closed", [prefixOf(first)]),
  ).toHaveLength(1);
});

test("a picture that is none costs its chapter nothing but it", async () => {
  const damaged = (await createPng()).subarray(0, 60);
  const file = fileWith([SVG, damaged, await createPng()]);
  const { id, state } = await waitForEncode(ana, (await uploadTrack(ana, file)).id);
  const { chapters } = await chaptersOf(id);
  expect([state, chapters.map(({ img }) => img !== undefined)]).toEqual(["finished", [false, false, true]]);
});

test("chapters that are sent while the file is encoded stay, and its pictures are garbage", async () => {
  const { id } = await uploadTrack(ana, fileWith([await createPng(), await createJpeg()]));
  await api.as(ana).put(`/tracks/${id}/chapters`, { json: { chapters: [{ startTime: 0, title: "Mine" }] } });
  await waitForEncode(ana, id);
  expect((await chaptersOf(id)).chapters).toEqual([{ startTime: 0, title: "Mine" }]);
  expect(await sql("select from chapter_pictures where track_id = $1", [id])).toEqual([]);
});

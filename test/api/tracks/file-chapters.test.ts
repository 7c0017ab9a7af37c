import { spawnSync } from "node:child_process";
import { beforeAll, expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { ffmpeg } from "../../support/ffmpeg.ts";
import { createUser, type Person } from "../../support/people.ts";
import { makeSources } from "../../support/sources.ts";
import { uploadTrack, waitForEncode } from "../../support/tracks.ts";

const METADATA = [0, 1_000]
  .map(
    (start, at) => `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start}\nEND=${start + 1_000}\ntitle=Part ${at + 1}\n`,
  )
  .join("");

let ana: Person;
let file: Blob;
beforeAll(async () => {
  ana = await createUser();
  const { wav } = await makeSources();
  const chapters = ["-f", "ffmetadata", "-i", "pipe:0", "-map_metadata", "1", "-map", "0:a"];
  const args = ["-v", "error", "-i", wav.path, ...chapters, "-c:a", "libmp3lame", "-f", "mp3", "pipe:1"];
  const { stdout } = spawnSync(ffmpeg.path, args, { input: `;FFMETADATA1\n${METADATA}` });
  file = new Blob([new Uint8Array(stdout)]);
});

const chaptersOf = async (id: number) => (await api.as(ana).get(`/tracks/${id}/chapters`)).body;

const FROM_FILE = {
  source: "file",
  chapters: [
    { startTime: 0, title: "Part 1" },
    { startTime: 1, endTime: 2, title: "Part 2" },
  ],
};

test("a track has the chapters of its file until its description or its owner has others", async () => {
  const { id } = await waitForEncode(ana, (await uploadTrack(ana, file)).id);
  const path = `/tracks/${id}/chapters`;
  expect(await chaptersOf(id)).toMatchObject(FROM_FILE);
  await api.as(ana).put(`/tracks/${id}`, { json: { track: { description: "0:00 Hello\n0:01 Bye" } } });
  expect(await chaptersOf(id)).toMatchObject({ source: "description", chapters: [{ title: "Hello" }, {}] });
  await api.as(ana).put(path, { json: { chapters: [{ startTime: 0, title: "Mine" }] } });
  expect(await chaptersOf(id)).toMatchObject({ source: "uploaded", chapters: [{ title: "Mine" }] });
  await api.as(ana).delete(path);
  await api.as(ana).put(`/tracks/${id}`, { json: { track: { description: null } } });
  expect(await chaptersOf(id)).toMatchObject({ source: "description", chapters: [] });
});

test("chapters that the owner sends while the file is encoded stay", async () => {
  const { id } = await uploadTrack(ana, file);
  await api.as(ana).put(`/tracks/${id}/chapters`, { json: { chapters: [{ startTime: 0, title: "Mine" }] } });
  await waitForEncode(ana, id);
  expect(await chaptersOf(id)).toMatchObject({ source: "uploaded", chapters: [{ title: "Mine" }] });
});

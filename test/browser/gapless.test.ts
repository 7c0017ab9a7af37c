import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { Playlist } from "../../functions/api/playlists/representation.ts";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { api } from "../support/api.ts";
import { ffmpeg } from "../support/ffmpeg.ts";
import { createUserWithPassword, type Person } from "../support/people.ts";
import { repeats } from "../support/repeats.ts";
import { wavFile } from "../support/sources/pcm.ts";
import { streamsOf, uploadTrack, waitForEncode } from "../support/tracks.ts";
import { decode, lagAt } from "../transcoder/playback.support.ts";
import { launchBrowser, playsPast } from "./browser.ts";
import { barButton, playIn, titleInBar } from "./player.ts";

const RATE = 44_100;

/** Frames of one tone, which is cut at no packet's border. */
const FRAMES = 5 * RATE;
const CUT = 2 * RATE + 333;

/** Frames on each side of the cut in which the two files must sound like the one. */
const AROUND = 64;

const browser = launchBrowser();
let owner: Person;
let tone: Int16Array;
let halves: Track[];

/** Stereo. It rises, so that each moment differs from the ones around it. */
function risingTone(): Int16Array {
  const samples = new Int16Array(2 * FRAMES);
  for (let n = 0; n < FRAMES; n++) {
    const t = n / RATE;
    samples.fill(Math.round(12_000 * Math.sin(2 * Math.PI * (400 + 30 * t) * t)), 2 * n, 2 * n + 2);
  }
  return samples;
}

/** Uploads one after the other, since a user may open a few at once only. */
async function publish(pieces: Int16Array[]): Promise<Track[]> {
  const ids: number[] = [];
  for (const [n, samples] of pieces.entries()) {
    const file = new Blob([new Uint8Array(wavFile(samples, RATE))]);
    ids.push((await uploadTrack(owner, file, { title: `Piece ${n}`, sharing: "public" })).id);
  }
  return Promise.all(ids.map((id) => waitForEncode(owner, id)));
}

async function openSet(tracks: Track[]): Promise<Page> {
  const playlist = { title: "A set", sharing: "public", tracks: tracks.map(({ id }) => ({ id })) };
  const set = (await api.as(owner).post<Playlist>("/playlists", { json: { playlist } })).body;
  return (await browser.visit(set.permalink_url, { viewport: { width: 1440, height: 900 } })).page;
}

beforeAll(async () => {
  owner = await createUserWithPassword();
  tone = risingTone();
  halves = await publish([tone.slice(0, 2 * CUT), tone.slice(2 * CUT)]);
});

/** Fetches the segments of both halves from the addresses that the player gets. */
const FILES = `Promise.all(IDS.map(async (id) => {
  const { hls } = await (await fetch("/you/sources/" + id)).json();
  const list = new URL("160/playlist.m3u8", hls);
  const names = (await (await fetch(list)).text()).match(/^\\d+\\.m4s$/gm);
  const bodies = ["init.mp4", ...names].map(async (name) => (await fetch(new URL(name, list))).arrayBuffer());
  return new Blob(await Promise.all(bodies)).arrayBuffer();
}))`;

const inPage = <Result>(page: Page, code: string) =>
  page.evaluate<Result>(
    `(async () => { const IDS = ${JSON.stringify(halves.map(({ id }) => id))}; const files = await ${FILES}; ${code} })()`,
  );

/** The halves' samples one after the other, stereo. */
function expectTone(first: Int16Array, second: Int16Array): void {
  expect([first.length, second.length]).toEqual([2 * CUT, 2 * (FRAMES - CUT)]);
  const joined = new Int16Array(2 * FRAMES);
  joined.set(first);
  joined.set(second, first.length);
  for (const place of [CUT - 6_000 - AROUND, CUT - 3_000, CUT + AROUND])
    expect(lagAt(place, tone, joined)).toMatchObject({ lag: 0, likeness: expect.closeTo(1, 2) });
  let error = 0;
  for (let n = 2 * (CUT - AROUND); n < 2 * (CUT + AROUND); n++)
    error += ((joined[n] ?? 0) - (tone[n] ?? 0)) ** 2;
  // A tone that stops or jumps errs by thousands.
  expect(Math.sqrt(error / (4 * AROUND))).toBeLessThan(500);
}

test("two halves of a tone decode in Chromium to its samples, none missing and none twice", async () => {
  const page = await openSet(halves);
  const decoded = await inPage<string[]>(
    page,
    `return Promise.all(files.map(async (file) => {
      const heard = await new OfflineAudioContext(2, 1, ${RATE}).decodeAudioData(file);
      const sides = [heard.getChannelData(0), heard.getChannelData(1)];
      const samples = new Int16Array(2 * heard.length).map((_, n) => Math.round(32767 * sides[n % 2][n >> 1]));
      const reader = new FileReader();
      reader.readAsDataURL(new Blob([samples]));
      await new Promise((read) => { reader.onload = read; });
      return reader.result.split(",")[1];
    }))`,
  );
  const [first, second] = decoded.map(
    (text) => new Int16Array(Uint8Array.from(Buffer.from(text, "base64")).buffer),
  );
  expectTone(first ?? new Int16Array(), second ?? new Int16Array());
});

test("one after the other they fill one media source without a gap", async () => {
  const ranges = await inPage<number[][]>(
    await openSet(halves),
    `const source = new MediaSource();
    const audio = new Audio(URL.createObjectURL(source));
    await new Promise((opened) => source.addEventListener("sourceopen", opened, { once: true }));
    const buffer = source.addSourceBuffer('audio/mp4; codecs="mp4a.40.2"');
    for (const [n, file] of files.entries()) {
      buffer.timestampOffset = n * ${CUT / RATE};
      buffer.appendBuffer(file);
      await new Promise((done) => buffer.addEventListener("updateend", done, { once: true }));
    }
    return Array.from({ length: audio.buffered.length }, (_, n) => [audio.buffered.start(n), audio.buffered.end(n)]);`,
  );
  expect(ranges).toEqual([[0, expect.closeTo(FRAMES / RATE, 4)]]);
});

test("ffmpeg, which plays their HLS, hears the same", async () => {
  const heard = halves.map(async ({ id }) => {
    const { hls_aac_96_url: list = "", hls_aac_160_url = "" } = await streamsOf(owner, id);
    const lengths = (await (await fetch(list)).text()).matchAll(/#EXTINF:([\d.]+)/g);
    const seconds = [...lengths].reduce((sum, [, length]) => sum + Number(length), 0);
    // It plays whole packets, so the playlist tells where to stop.
    const stop = `atrim=start=0:end_pts=${Math.round(seconds * RATE)}`;
    return decode(hls_aac_160_url, ["-copyts"], ["-af", stop]);
  });
  const [first, second] = await Promise.all(heard);
  expectTone(first ?? new Int16Array(), second ?? new Int16Array());
});

const LEVELS = repeats(4, 20);

/** Seconds. Loudness is measured in blocks of 0.4, and the stream has some silence at its edges. */
const LEVEL_S = 5;

/** Music of a kind and an amplitude of its own: a tone, dull noise as encoders keep it, or strokes. */
function piece(n: number): Int16Array {
  const amplitude = 32_000 * 10 ** (-(n / LEVELS) * 0.4);
  let noise = n + 1;
  let dull = 0;
  return new Int16Array(2 * LEVEL_S * RATE).map((_, at) => {
    const t = (at >> 1) / RATE;
    noise = (Math.imul(noise, 1_664_525) + 1_013_904_223) | 0;
    dull += (noise / 2 ** 31 - dull) / 20;
    const tone = Math.sin(2 * Math.PI * (220 + 60 * n) * t);
    const kinds = [tone, 3 * dull, tone * Math.exp(-3 * (t % 0.25))];
    return Math.round(amplitude * (kinds[n % kinds.length] ?? tone));
  });
}

/** LUFS of a stream that is played at this volume, measured by ffmpeg as the HLS client. */
async function loudnessAt(volume: number, stream = ""): Promise<number> {
  const filter = `volume=${volume}:precision=float,ebur128=framelog=verbose`;
  const args = ["-nostdin", "-hide_banner", "-i", stream, "-af", filter, "-f", "null", "-"];
  const { stderr } = await promisify(execFile)(ffmpeg.path, args);
  return Number(/Integrated loudness:\s+I:\s+(-?[\d.]+) LUFS/.exec(stderr)?.[1]);
}

test("a set of loud pieces of every kind is heard within half a loudness unit", async () => {
  const pieces = await publish(Array.from({ length: LEVELS }, (_, n) => piece(n)));
  const page = await openSet(pieces);
  await playIn(page, "Piece 0").click();
  await barButton(page, "Repeat: off").click();
  await barButton(page, "Repeat: all").click();
  const heard: number[] = [];
  const plain: number[] = [];
  for (const { id, title } of pieces) {
    await expect.poll(() => titleInBar(page)).toBe(title);
    // Its loudness comes with its addresses.
    await playsPast(page, 0.1);
    const volume = await page.evaluate<number>("document.querySelector('audio').volume");
    const { hls_aac_160_url } = await streamsOf(owner, id);
    heard.push(await loudnessAt(volume, hls_aac_160_url));
    plain.push(await loudnessAt(1, hls_aac_160_url));
    await barButton(page, "Next track").click();
  }
  expect(Math.max(...plain) - Math.min(...plain)).toBeGreaterThan(5);
  expect(Math.max(...heard) - Math.min(...heard), `${plain}; heard ${heard}`).toBeLessThanOrEqual(0.5);
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, expect, test } from "vitest";
import type { Streams } from "../../functions/api/tracks/streams.ts";
import { packetCount, segmentStart } from "../../workers/transcoder/geometry.ts";
import { api } from "../support/api.ts";
import { ffmpeg } from "../support/ffmpeg.ts";
import { createUser, type Person } from "../support/people.ts";
import { missing } from "../support/programs.ts";
import { isFull } from "../support/repeats.ts";
import { sweepWav } from "../support/sources/pcm.ts";
import { startPausedJob } from "./paused-job.ts";
import { lagAt } from "./playback.support.ts";
import { startTranscoder, type Transcoder } from "./transcoder-process.ts";

const SECONDS = 24;
const FRAMES = SECONDS * 44_100;
const file = sweepWav(SECONDS);
const pcm = new Int16Array(Uint8Array.from(file.subarray(44)).buffer);

let listener: Person;
let transcoder: Transcoder;
const toClose: (() => Promise<void>)[] = [];

beforeAll(async () => {
  listener = await createUser();
});
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close();
});

/** A track whose encode waits in the middle, with its links. */
async function startGrowing() {
  transcoder = await startTranscoder();
  toClose.push(transcoder.stop);
  const job = await startPausedJob(transcoder, { file });
  toClose.push(job.worker.close);
  const streams = () => api.as(listener).get<Required<Streams>>(`/tracks/${job.worker.track}/streams`);
  await expect.poll(async () => (await streams()).status).toBe(200);
  return { ...job, links: (await streams()).body, streams };
}

const textOf = async (url: string) => {
  const reply = await fetch(url);
  return { status: reply.status, text: await reply.text() };
};

/** Plays like a client that knows nothing of us. Resolves to the samples at its end. */
async function play(url: string) {
  const args = [
    "-v",
    "error",
    "-nostdin",
    "-live_start_index",
    "0",
    "-copyts",
    "-i",
    url,
    "-af",
    `atrim=start=0:end_pts=${FRAMES}`,
    "-ac",
    "2",
    "-f",
    "s16le",
    "pipe:1",
  ];
  const child = spawn(ffmpeg.path, args, { stdio: ["ignore", "pipe", "ignore"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  toClose.push(async () => void child.kill("SIGKILL"));
  return {
    heardFrames: () => chunks.reduce((sum, { length }) => sum + length, 0) / 4,
    ended: ended.then(() => new Int16Array(Uint8Array.from(Buffer.concat(chunks)).buffer)),
  };
}

test("a client that starts during the encode hears every sample once", async () => {
  const { worker, letGo, links } = await startGrowing();
  const players = await Promise.all([links.hls_aac_160_url, links.hls_aac_96_url].map(play));
  for (const { heardFrames } of players) await expect.poll(heardFrames).toBeGreaterThan(44_100);
  const { text } = await textOf(links.hls_aac_96_url);
  expect(text).toContain("PLAYLIST-TYPE:EVENT");
  expect(text).not.toContain("ENDLIST");
  letGo();
  expect((await worker.verdict).outcome).toBe("finished");
  for (const { ended } of players) {
    const heard = await ended;
    expect(heard.length / 2).toBe(FRAMES);
    for (const segment of [1, 3, 5]) {
      const { lag, likeness } = lagAt((segmentStart(segment) - 1) * 1024 - 3000, pcm, heard);
      expect({ segment, lag }).toEqual({ segment, lag: 0 });
      expect(likeness).toBeGreaterThan(0.9);
    }
  }
  expect((await textOf(links.hls_aac_96_url)).text).toMatch(/TYPE:VOD[\s\S]*#EXT-X-ENDLIST\n$/);
});

/** GStreamer's two clients for HLS: the one that its players have today, and the older one. */
test.for(isFull ? ["uridecodebin3", "uridecodebin"] : ["uridecodebin3"])(
  "GStreamer's %s hears the whole track while it grows",
  async (element, { skip }) => {
    skip(...missing("gst-launch-1.0"));
    const { worker, letGo, links } = await startGrowing();
    const heard = join(mkdtempSync(join(tmpdir(), "gstreamer-")), "heard.raw");
    toClose.push(async () => rmSync(dirname(heard), { recursive: true }));
    const decoded = ["!", "audioconvert", "!", "audio/x-raw,format=S16LE,channels=2", "!", "filesink"];
    const words = [element, `uri=${links.hls_aac_160_url}`, ...decoded, "sync=false", `location=${heard}`];
    const player = spawn("gst-launch-1.0", ["-q", ...words], { stdio: ["ignore", "ignore", "inherit"] });
    const ended = once(player, "exit");
    toClose.push(async () => void player.kill("SIGKILL"));
    const frames = () => (existsSync(heard) ? statSync(heard).size / 4 : 0);
    await expect.poll(frames).toBeGreaterThan(44_100);
    letGo();
    expect((await worker.verdict).outcome).toBe("finished");
    expect(await ended).toEqual([0, null]);
    // It knows no edits, so it hears the priming packet and the padding of the last one.
    expect(frames()).toBe(packetCount(FRAMES) * 1024);
    const samples = new Int16Array(Uint8Array.from(readFileSync(heard).subarray(1024 * 4)).buffer);
    expect(lagAt((segmentStart(3) - 1) * 1024 - 3000, pcm, samples)).toMatchObject({ lag: 0 });
  },
);

test("no playlist promises a segment that is not stored in both renditions", async () => {
  const { links } = await startGrowing();
  for (const rate of ["160", "96"]) {
    const url = new URL(`${rate}/playlist.m3u8`, links.hls_aac_160_url).href;
    const names = ["init.mp4", ...((await textOf(url)).text.match(/^\d+\.m4s$/gm) ?? [])];
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) expect((await fetch(new URL(name, url))).status).toBe(200);
  }
});

test("an encode that dies ends its playlists, without an end that looks like the track's (F38)", async () => {
  const { worker, links, streams } = await startGrowing();
  const player = await play(links.hls_aac_96_url);
  await expect.poll(player.heardFrames).toBeGreaterThan(44_100);
  const [decoder] = transcoder.ffmpegs();
  if (decoder) process.kill(decoder, "SIGKILL");
  expect((await worker.verdict).body).toMatchObject({ reason: "killed", retryable: true });
  expect(await textOf(links.hls_aac_96_url)).not.toMatchObject({ status: 200 });
  expect((await streams()).status).toBe(404);
  expect((await player.ended).length / 2).toBeLessThan(FRAMES);
});

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { readFrameHeader } from "../../../workers/transcoder/mpeg-frames.ts";
import { ffmpeg } from "../../support/ffmpeg.ts";
import { createUserWithPassword } from "../../support/people.ts";
import { sweepWav } from "../../support/sources/pcm.ts";
import { streamsOf, uploadTrack, waitForEncode } from "../../support/tracks.ts";
import { get } from "./media-files.ts";

const run = promisify(execFile);

/** Long enough for a second segment. */
const SECONDS = 7.3;

const PACKET = 1152;

/** Frames before the track's first: 576 of the encoder and 529 of every decoder. HLS does not state them. */
const PRIMING = 576 + 529;

/** Bytes: ten of ID3, ten of PRIV, the owner and its timestamp. */
const TAG = 73;

const OWNER = "com.apple.streaming.transportStreamTimestamp\0";

/** Fails if ffmpeg prints anything. A static one cannot resolve names. */
async function decoded(url: string): Promise<Buffer> {
  const args = ["-v", "error", "-nostdin", "-i", url.replace("//localhost:", "//127.0.0.1:")];
  const { stdout, stderr } = await run(ffmpeg.path, [...args, "-f", "s16le", "-ac", "2", "pipe:1"], {
    encoding: "buffer",
    maxBuffer: 2 ** 26,
  });
  expect(stderr.toString()).toBe("");
  return stdout;
}

describe.each([
  ["44.1 kHz", 44_100],
  ["48 kHz", 48_000],
] as const)("the MP3 as a playlist, at %s", (_, rate) => {
  const frames = Math.round(SECONDS * rate);
  let links: { hls: string; mp3: string };
  let playlist: string;
  let segments: Buffer[];

  beforeAll(async () => {
    const ana = await createUserWithPassword();
    const file = new Blob([sweepWav(SECONDS, rate)]);
    const { id } = await waitForEncode(ana, (await uploadTrack(ana, file)).id);
    const { hls_mp3_128_url = "", http_mp3_128_url = "" } = await streamsOf(ana, id);
    links = { hls: hls_mp3_128_url, mp3: http_mp3_128_url };
    playlist = (await get(links.hls)).bytes.toString();
    const uris = playlist.split("\n").filter((line) => line.endsWith(".mp3"));
    segments = await Promise.all(uris.map(async (uri) => (await get(new URL(uri, links.hls).href)).bytes));
  });

  test("has the MP3's samples, from the first to the last", async () => {
    const [heard, whole] = await Promise.all([decoded(links.hls), decoded(links.mp3)]);
    expect(whole.length).toBe(frames * 4);
    const packets = Math.ceil((frames + PRIMING) / PACKET);
    // LAME flushes its padding at the end: at most one packet more.
    expect([packets, packets + 1]).toContain(heard.length / 4 / PACKET);
    expect(heard.subarray(PRIMING * 4, (PRIMING + frames) * 4).equals(whole)).toBe(true);
    const durations = [...playlist.matchAll(/#EXTINF:([\d.]+)/g)].map(([, seconds]) => Number(seconds));
    const total = durations.reduce((sum, seconds) => sum + seconds, 0);
    expect(Math.round(total * rate)).toBe(heard.length / 4);
  });

  test("begins each segment with its time, followed by whole frames", async () => {
    expect(segments).toHaveLength(2);
    let packets = 0;
    for (const segment of segments) {
      expect(segment.subarray(0, 10)).toEqual(Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 63]));
      expect(segment.subarray(10, 20)).toEqual(Buffer.from([0x50, 0x52, 0x49, 0x56, 0, 0, 0, 53, 0, 0]));
      expect(segment.subarray(20, TAG - 8).toString()).toBe(OWNER);
      expect(Number(segment.readBigUInt64BE(TAG - 8))).toBe((packets * PACKET * 90_000) / rate);
      let offset = TAG;
      for (; offset < segment.length; packets++) {
        const header = readFrameHeader(segment, offset);
        expect(header?.kind).toBe("mp3");
        offset += header?.bytes ?? Number.POSITIVE_INFINITY;
      }
      expect(offset).toBe(segment.length);
    }
  });

  test("equals the file, except for the tags and the Info frame", async () => {
    const { bytes } = await get(links.mp3);
    const first = readFrameHeader(bytes, 0)?.bytes ?? 0;
    expect(bytes.subarray(0, first).includes("Info")).toBe(true);
    const packets = segments.map((segment) => segment.subarray(TAG));
    expect(Buffer.concat(packets).equals(bytes.subarray(first))).toBe(true);
  });

  test("ends with its last segment", async () => {
    for (const name of ["2.mp3", "99999.mp3", "00.mp3", "0.m4s", "100000.mp3"])
      expect([name, (await get(new URL(`audio/${name}`, links.hls).href)).status]).toEqual([name, 404]);
  });
});

import { describe, expect, test } from "vitest";
import type { Media } from "../../db/queries/media.ts";
import {
  growingPlaylist,
  masterPlaylist,
  mediaPlaylist,
  segmentCount,
} from "../../functions/api/media/playlists.ts";
import * as geometry from "../../workers/transcoder/geometry.ts";

/** Edges of packets, of the first, short and later segments, and of the longest track. */
const LENGTHS = [
  1,
  2,
  1023,
  1024,
  1025,
  2048,
  44_100,
  321_930,
  ...[1, 2, 3, 4, 5, 10, 600].flatMap((segment) =>
    [-2048, -1025, -1024, -1023, -1, 0, 1, 1023, 1024, 1025].map(
      (off) => geometry.segmentStart(segment) * geometry.FRAMES_PER_PACKET + off,
    ),
  ),
  24 * 3600 * 48_000,
].filter((frames) => frames > 0);

const durationsIn = (playlist: string) =>
  [...playlist.matchAll(/#EXTINF:([0-9.]+),/g)].map(([, text]) => Number(text));

describe.each([44_100, 48_000])("at %d Hz", (sample_rate) => {
  test.each(LENGTHS)("%d frames: the durations add up to exactly the source's", (frames) => {
    const durations = durationsIn(mediaPlaylist({ frames, sample_rate }));
    const sum = durations.reduce((total, seconds) => total + Math.round(seconds * sample_rate), 0);
    expect(sum).toBe(frames);
    // Eight decimals truncate each value. The sum is off by less than a frame.
    const seconds = durations.reduce((total, each) => total + each, 0);
    expect(Math.round(seconds * sample_rate)).toBe(frames);
  });

  test.each(LENGTHS)("%d frames: segments and spans match those of the transcoder", (frames) => {
    const durations = durationsIn(mediaPlaylist({ frames, sample_rate }));
    expect(durations).toHaveLength(segmentCount(frames));
    expect(geometry.segmentSpan(durations.length - 1, frames).to).toBe(frames);
    for (const [n, seconds] of durations.entries()) {
      const { from, to } = geometry.segmentSpan(n, frames);
      expect(Math.round(seconds * sample_rate), `segment ${n}`).toBe(to - from);
    }
  });

  test.each(LENGTHS)("%d frames: no segment is empty or longer than the target", (frames) => {
    const playlist = mediaPlaylist({ frames, sample_rate });
    const target = Number(/#EXT-X-TARGETDURATION:([0-9]+)\n/.exec(playlist)?.[1]);
    expect(target).toBe(6);
    for (const seconds of durationsIn(playlist)) {
      expect(seconds).toBeGreaterThan(0);
      expect(Math.round(seconds)).toBeLessThanOrEqual(target);
    }
  });
});

test("a media playlist is complete: in order, from the first segment, ended", () => {
  expect(mediaPlaylist({ frames: 258 * 1024 + 5000, sample_rate: 44_100 })).toBe(
    [
      "#EXTM3U",
      "#EXT-X-VERSION:7",
      "#EXT-X-TARGETDURATION:6",
      "#EXT-X-MEDIA-SEQUENCE:0",
      "#EXT-X-PLAYLIST-TYPE:VOD",
      "#EXT-X-START:TIME-OFFSET=0,PRECISE=YES",
      "#EXT-X-INDEPENDENT-SEGMENTS",
      '#EXT-X-MAP:URI="init.mp4"',
      "#EXTINF:1.97369615,",
      "0.m4s",
      "#EXTINF:1.99691610,",
      "1.m4s",
      "#EXTINF:1.99691610,",
      "2.m4s",
      "#EXTINF:0.13659864,",
      "3.m4s",
      "#EXT-X-ENDLIST",
      "",
    ].join("\n"),
  );
});

test("a segment lasts two seconds at the start and six later", () => {
  const { PACKETS_PER_SHORT_SEGMENT, PACKETS_PER_SEGMENT, segmentStart } = geometry;
  const packets = [0, 1, 2, 3, 4, 100].map((n) => segmentStart(n + 1) - segmentStart(n));
  const [short, long] = [PACKETS_PER_SHORT_SEGMENT, PACKETS_PER_SEGMENT];
  expect(packets).toEqual([short, short, short, long, long, long]);
});

describe("a playlist that grows", () => {
  const FRAMES = 20 * 44_100;
  const growing = (segments_ready: number) =>
    growingPlaylist({ media_prefix: "t/1/x/", sample_rate: 44_100, segments_ready }).split("\n");

  test("adds lines and changes none, to the finished one (RFC 8216 §6.2.1)", () => {
    const finished = mediaPlaylist({ frames: FRAMES, sample_rate: 44_100 })
      .replace("TYPE:VOD", "TYPE:EVENT")
      .split("\n");
    for (let ready = 1; ready < segmentCount(FRAMES); ready++) {
      const shown = growing(ready).slice(0, -1);
      expect(growing(ready + 1).slice(0, shown.length)).toEqual(shown);
      expect(finished.slice(0, shown.length)).toEqual(shown);
    }
  });

  test("begins at the first sample and has no end", () => {
    const shown = growing(4);
    expect(shown.slice(0, 8)).toEqual([
      "#EXTM3U",
      "#EXT-X-VERSION:7",
      "#EXT-X-TARGETDURATION:6",
      "#EXT-X-MEDIA-SEQUENCE:0",
      "#EXT-X-PLAYLIST-TYPE:EVENT",
      "#EXT-X-START:TIME-OFFSET=0,PRECISE=YES",
      "#EXT-X-INDEPENDENT-SEGMENTS",
      '#EXT-X-MAP:URI="init.mp4"',
    ]);
    expect(shown.filter((line) => line.endsWith(".m4s"))).toEqual(["0.m4s", "1.m4s", "2.m4s", "3.m4s"]);
    expect(shown).not.toContain("#EXT-X-ENDLIST");
  });
});

test("a master playlist of a running encode promises more than its segments need", () => {
  const [, , , first, , second] = masterPlaylist(null).split("\n");
  expect(first).toBe('#EXT-X-STREAM-INF:BANDWIDTH=200000,AVERAGE-BANDWIDTH=168000,CODECS="mp4a.40.2"');
  expect(second).toBe('#EXT-X-STREAM-INF:BANDWIDTH=120000,AVERAGE-BANDWIDTH=100800,CODECS="mp4a.40.2"');
});

test("a master playlist names both renditions, the better one first", () => {
  const rendition = (kbps: number) => ({
    segments: 1,
    bandwidth: kbps * 1100,
    average_bandwidth: kbps * 1000,
    codecs: "mp4a.40.2",
  });
  const renditions: Partial<Media["renditions"]> = { aac_160: rendition(160), aac_96: rendition(96) };
  const playlist = masterPlaylist({ renditions } as Media);
  expect(playlist.split("\n").slice(3, 7)).toEqual([
    '#EXT-X-STREAM-INF:BANDWIDTH=176000,AVERAGE-BANDWIDTH=160000,CODECS="mp4a.40.2"',
    "160/playlist.m3u8",
    '#EXT-X-STREAM-INF:BANDWIDTH=105600,AVERAGE-BANDWIDTH=96000,CODECS="mp4a.40.2"',
    "96/playlist.m3u8",
  ]);
});

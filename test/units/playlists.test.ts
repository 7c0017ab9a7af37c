import { describe, expect, test } from "vitest";
import type { Media } from "../../db/queries/media.ts";
import { masterPlaylist, mediaPlaylist, segmentCount } from "../../functions/media/playlists.ts";
import * as geometry from "../../workers/transcoder/geometry.ts";

const SEGMENT = geometry.PACKETS_PER_SEGMENT * geometry.FRAMES_PER_PACKET;

/** Edges of packets, of the first and later segments, and of the longest track. */
const LENGTHS = [
  ...[1, 2, 1023, 1024, 1025, 2048, 44_100, 321_930],
  ...[1, 2, 3, 10, 600].flatMap((segments) =>
    [-2048, -1025, -1024, -1023, -1, 0, 1, 1023, 1024, 1025].map((off) => segments * SEGMENT + off),
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
    expect(durations).toHaveLength(geometry.segmentCount(frames));
    expect(segmentCount(frames)).toBe(geometry.segmentCount(frames));
    for (const [n, seconds] of durations.entries()) {
      const { from, to } = geometry.segmentSpan(n, frames);
      expect(Math.round(seconds * sample_rate), `segment ${n}`).toBe(to - from);
    }
  });

  test.each(LENGTHS)("%d frames: no segment is empty or longer than the target", (frames) => {
    const playlist = mediaPlaylist({ frames, sample_rate });
    const target = Number(/#EXT-X-TARGETDURATION:([0-9]+)\n/.exec(playlist)?.[1]);
    expect(target).toBeGreaterThanOrEqual(1);
    for (const seconds of durationsIn(playlist)) {
      expect(seconds).toBeGreaterThan(0);
      expect(Math.round(seconds)).toBeLessThanOrEqual(target);
    }
  });
});

test("a media playlist is complete: in order, from the first segment, ended", () => {
  expect(mediaPlaylist({ frames: SEGMENT + 5000, sample_rate: 44_100 })).toBe(
    [
      ...["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:6", "#EXT-X-MEDIA-SEQUENCE:0"],
      ...["#EXT-X-PLAYLIST-TYPE:VOD", "#EXT-X-INDEPENDENT-SEGMENTS", '#EXT-X-MAP:URI="init.mp4"'],
      ...["#EXTINF:5.96752834,", "0.m4s", "#EXTINF:0.13659864,", "1.m4s", "#EXT-X-ENDLIST", ""],
    ].join("\n"),
  );
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

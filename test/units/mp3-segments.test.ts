import { describe, expect, test } from "vitest";
import type { Media } from "../../db/queries/media.ts";
import { mp3Durations, mp3SegmentRange, timestampTag } from "../../functions/api/media/mp3-segments.ts";
import { mp3Playlist } from "../../functions/api/media/playlists.ts";
import { infoFrameBytes } from "../../workers/transcoder/info-frame.ts";
import { MP3_PACKETS_PER_SEGMENT, mp3SegmentBytes, readMp3 } from "../../workers/transcoder/mp3-packets.ts";

const DAY_S = 24 * 3600;

const mediaOf = (sample_rate: number, bytes: number) =>
  ({ sample_rate, renditions: { mp3_128: { bytes, part_bytes: 8 * 2 ** 20 } } }) as Media;

/** Bytes of the first packets, as LAME pads them: as late as the bit rate allows. */
const bytesOf = (packets: number, rate: number) => Math.floor((packets * 144 * 128_000) / rate);

describe.each([44_100, 48_000] as const)("at %d Hz", (rate) => {
  const file = (packets: number) => mediaOf(rate, infoFrameBytes(rate) + bytesOf(packets, rate));

  test.each([1, 244, 245, 246, 489, 490, 491, Math.ceil((DAY_S * rate) / 1152)])(
    "%d packets: the segments meet, cover the file, and last as long as its packets",
    (packets) => {
      const media = file(packets);
      const durations = mp3Durations(media);
      expect(durations).toHaveLength(Math.ceil(packets / MP3_PACKETS_PER_SEGMENT));
      let next = infoFrameBytes(rate);
      for (const n of durations.keys()) {
        const range = mp3SegmentRange(media, n);
        expect(range?.start).toBe(next);
        expect(next - infoFrameBytes(rate)).toBe(bytesOf(n * MP3_PACKETS_PER_SEGMENT, rate));
        next = (range?.end ?? 0) + 1;
      }
      expect(next).toBe(media.renditions.mp3_128.bytes);
      expect(mp3SegmentRange(media, durations.length)).toBeUndefined();
      const samples = durations.reduce((sum, seconds) => sum + Math.round(seconds * rate), 0);
      expect(samples).toBe(packets * 1152);
    },
  );

  test("the last segment of a day still has its time in 33 bits", () => {
    const last = mp3Durations(file(Math.ceil((DAY_S * rate) / 1152))).length - 1;
    const ticks = Buffer.from(timestampTag(file(1), last)).readBigUInt64BE(65);
    expect(ticks).toBe((BigInt(last * MP3_PACKETS_PER_SEGMENT * 1152) * 90_000n) / BigInt(rate));
    expect(ticks).toBeLessThan(2n ** 33n);
  });
});

test("the playlist is whole: in order, from the first segment, ended", () => {
  expect(mp3Playlist(mediaOf(44_100, 417 + bytesOf(250, 44_100)))).toBe(
    [
      "#EXTM3U",
      "#EXT-X-VERSION:3",
      "#EXT-X-TARGETDURATION:7",
      "#EXT-X-MEDIA-SEQUENCE:0",
      "#EXT-X-PLAYLIST-TYPE:VOD",
      "#EXTINF:6.40000000,",
      "audio/0.mp3",
      "#EXTINF:0.13061224,",
      "audio/1.mp3",
      "#EXT-X-ENDLIST",
      "",
    ].join("\n"),
  );
});

describe("the transcoder", () => {
  async function* encoded(paddings: number[]): AsyncGenerator<Buffer> {
    for (const padding of paddings) {
      const packet = Buffer.alloc(417 + padding);
      packet.set([0xff, 0xfb, 0x90 | (padding << 1), 0x40]);
      yield packet;
    }
  }

  async function bytesRead(paddings: number[]): Promise<number> {
    let bytes = 0;
    for await (const packet of readMp3(encoded(paddings), 44_100)) bytes += packet.length;
    return bytes;
  }

  /** 47 of 49 are a byte longer. */
  const asLame = Array.from({ length: 490 }, (_, n) => Number(![0, 24].includes(n % 49)));

  test("takes an MP3 whose segments begin with packets", async () => {
    expect(await bytesRead(asLame)).toBe(2 * mp3SegmentBytes(44_100));
  });

  test("fails where a segment would begin within one", async () => {
    await expect(bytesRead(asLame.with(300, 0))).rejects.toThrow("a segment of the MP3 has 102399 bytes");
  });
});

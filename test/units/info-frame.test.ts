import { expect, test } from "vitest";
import { infoFrame, packetsFor } from "../../workers/transcoder/info-frame.ts";
import { readFrameHeader } from "../../workers/transcoder/mpeg-frames.ts";

/** CRC-16/ARC by its definition: bits of each byte from the lowest, the remainder mirrored. */
function checksum(data: Buffer): number {
  let remainder = 0;
  for (const byte of data)
    for (let bit = 0; bit < 8; bit++) {
      const carry = (remainder >> 15) ^ ((byte >> bit) & 1);
      remainder = ((remainder << 1) & 0xffff) ^ (carry ? 0x8005 : 0);
    }
  return Number.parseInt(remainder.toString(2).padStart(16, "0").split("").reverse().join(""), 2);
}

test.each([44_100, 48_000] as const)(
  "players that check the first frame of an MP3 at %d Hz believe it",
  (rate) => {
    const track = { packets: packetsFor(1_000_000), bytes: 363_000, frames: 1_000_000 };
    const frame = infoFrame(rate, track);
    expect(readFrameHeader(frame, 0)).toMatchObject({ kind: "mp3", bytes: frame.length });
    const tag = frame.indexOf("Info");
    expect(frame.readUInt32BE(tag + 8)).toBe(track.packets);
    expect(frame.readUInt32BE(tag + 12)).toBe(frame.length + track.bytes);
    // Seek points: where in the file each percent of the track begins, in 256ths.
    expect([0, 1, 25, 50, 99].map((percent) => frame[tag + 16 + percent])).toEqual([0, 2, 64, 128, 253]);
    const lame = frame.indexOf("LAME");
    const [delay, padding] = [frame.readUInt16BE(lame + 21) >> 4, frame.readUInt16BE(lame + 22) & 0xfff];
    expect(delay + track.frames + padding).toBe(track.packets * 1152);
    expect(frame.readUInt32BE(lame + 28)).toBe(frame.length + track.bytes);
    // The check value that catalogues of checksums give.
    expect(checksum(Buffer.from("123456789"))).toBe(0xbb3d);
    expect(frame.readUInt16BE(lame + 34)).toBe(checksum(frame.subarray(0, lame + 34)));
  },
);

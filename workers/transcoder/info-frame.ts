import type { OutputRate } from "./fmp4.ts";

export const MP3_BITRATE = 128_000;
export const FRAMES_PER_MP3_PACKET = 1152;

/** Frames of silence: LAME's, and the decoder's own. gabriel.mp3-tech.org/mp3infotag.html */
const ENCODER_DELAY = 576;
const DECODER_DELAY = 529;

export const infoFrameBytes = (rate: OutputRate): number =>
  Math.floor((FRAMES_PER_MP3_PACKET / 8) * (MP3_BITRATE / rate));

/** Packets needed for the track's first `frames` frames, including the delay. */
export const packetsFor = (frames: number): number =>
  Math.ceil((ENCODER_DELAY + DECODER_DELAY + frames) / FRAMES_PER_MP3_PACKET);

const HAS_FRAMES_BYTES_TOC_QUALITY = 0xf;
const TAG_OFFSET = 4 + 32;
const TOC_OFFSET = TAG_OFFSET + 16;
const LAME_OFFSET = TOC_OFFSET + 100 + 4;
const CRC_OFFSET = LAME_OFFSET + 34;

/**
 * Builds the silent first frame, from which players learn duration, seek points and gapless padding.
 * `packets` and `bytes` count the following frames; `frames` is the track's length.
 */
export function infoFrame(
  rate: OutputRate,
  track: { packets: number; bytes: number; frames: number },
): Buffer {
  const frame = Buffer.alloc(infoFrameBytes(rate));
  // MPEG-1 layer III without CRC, 128 kbit/s, no padding, joint stereo.
  frame.set([0xff, 0xfb, 0x90 | (rate === 48_000 ? 0x4 : 0), 0x40]);
  frame.write("Info", TAG_OFFSET, "latin1");
  frame.writeUInt32BE(HAS_FRAMES_BYTES_TOC_QUALITY, TAG_OFFSET + 4);
  frame.writeUInt32BE(track.packets, TAG_OFFSET + 8);
  frame.writeUInt32BE(frame.length + track.bytes, TAG_OFFSET + 12);
  // Constant bit rate makes the table of contents linear.
  for (let percent = 0; percent < 100; percent++)
    frame[TOC_OFFSET + percent] = Math.floor((percent * 256) / 100);

  // Quality 0 means unknown. ffmpeg and others trust delay and padding only under a name they know.
  frame.write("LAME3.100", LAME_OFFSET, "latin1");
  // Tag revision 0, constant bit rate.
  frame[LAME_OFFSET + 9] = 0x01;
  frame[LAME_OFFSET + 20] = MP3_BITRATE / 1000;
  const padding = track.packets * FRAMES_PER_MP3_PACKET - ENCODER_DELAY - track.frames;
  frame.writeUIntBE(ENCODER_DELAY * 0x1000 + Math.min(padding, 0xfff), LAME_OFFSET + 21, 3);
  frame.writeUInt32BE(frame.length + track.bytes, LAME_OFFSET + 28);
  frame.writeUInt16BE(crc16(frame.subarray(0, CRC_OFFSET)), CRC_OFFSET);
  return frame;
}

/** CRC-16/ARC, as the tag requires. */
function crc16(data: Uint8Array): number {
  let crc = 0;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
  }
  return crc;
}

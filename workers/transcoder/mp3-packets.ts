import type { OutputRate } from "./fmp4.ts";
import { FRAMES_PER_MP3_PACKET, MP3_BITRATE } from "./info-frame.ts";
import { readFrameHeader } from "./mpeg-frames.ts";

/** 6.4 s at 44.1 kHz, where 49 packets always make 20,480 bytes; 5.88 s at 48 kHz. */
export const MP3_PACKETS_PER_SEGMENT = 5 * 49;

/** Bytes. The Worker divides by this to find the start of a segment. */
export const mp3SegmentBytes = (rate: OutputRate): number =>
  (MP3_PACKETS_PER_SEGMENT * FRAMES_PER_MP3_PACKET * MP3_BITRATE) / 8 / rate;

/** Yields the MP3 encoder's packets as they arrive. Throws if a segment would not begin with a packet. */
export async function* readMp3(stream: AsyncIterable<Buffer>, rate: OutputRate): AsyncGenerator<Buffer> {
  let segmentBytes = 0;
  let segmentPackets = 0;
  for await (const packet of cut(stream)) {
    yield packet;
    segmentBytes += packet.length;
    segmentPackets++;
    if (segmentPackets < MP3_PACKETS_PER_SEGMENT) continue;
    if (segmentBytes !== mp3SegmentBytes(rate))
      throw new Error(`a segment of the MP3 has ${segmentBytes} bytes, not ${mp3SegmentBytes(rate)}`);
    segmentBytes = 0;
    segmentPackets = 0;
  }
}

async function* cut(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    const data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let offset = 0;
    while (offset + 4 <= data.length) {
      const header = readFrameHeader(data, offset);
      if (header?.kind !== "mp3") throw new Error("the MP3 encoder's output lost its frames");
      if (offset + header.bytes > data.length) break;
      yield data.subarray(offset, offset + header.bytes);
      offset += header.bytes;
    }
    rest = data.subarray(offset);
  }
}

import { readAdts } from "./adts.ts";
import type { AacRendition } from "./contract.ts";
import { CODECS, initSegment, mediaSegment, type OutputRate } from "./fmp4.ts";
import {
  FRAMES_PER_PACKET,
  framesInLastPacket,
  PACKETS_PER_SEGMENT,
  packetCount,
  segmentSpan,
} from "./geometry.ts";
import { createLane, type Put } from "./outputs.ts";

/** PUTs in flight for one rendition: hides the storage's latency without holding much. */
const LANE_WIDTH = 3;

export interface Packing {
  /** Ends with the track: `totalFrames` is asked only then. */
  adts: AsyncIterable<Buffer>;
  totalFrames(): number;
  folder: string;
  rate: OutputRate;
  bitrate: number;
  put: Put;
}

export interface Packer {
  /** Segments stored without a gap from the first. */
  ready(): number;
  rendition: Promise<AacRendition>;
}

/** Cuts one AAC stream into HLS segments and stores each as soon as it is whole. */
export function packSegments(packing: Packing): Packer {
  const lane = createLane(LANE_WIDTH);
  return { ready: lane.ready, rendition: pack(packing, lane) };
}

async function pack(packing: Packing, lane: ReturnType<typeof createLane>): Promise<AacRendition> {
  const { folder, rate, bitrate, put } = packing;
  const sizes: number[] = [];
  let packets: Buffer[] = [];
  let packetsSeen = 0;

  async function store(lastFrames: number): Promise<void> {
    const index = sizes.length;
    const segment = mediaSegment(index, index * PACKETS_PER_SEGMENT, packets, lastFrames);
    packets = [];
    sizes.push(segment.length);
    await init;
    await lane.add(() => put(`${folder}/${index}.m4s`, "video/iso.segment", segment));
  }

  // Read at once: what a short encode has left unread in its pipe is lost when the process ends.
  const init = put(`${folder}/init.mp4`, "video/mp4", initSegment(rate, bitrate));
  init.catch(() => {});
  for await (const packet of readAdts(packing.adts)) {
    // Only the next packet tells that a full segment is not the last one, whose duration differs.
    if (packets.length === PACKETS_PER_SEGMENT) await store(FRAMES_PER_PACKET);
    packets.push(packet);
    packetsSeen++;
  }

  const frames = packing.totalFrames();
  if (packetsSeen !== packetCount(frames))
    throw new Error(`${folder}: ${packetsSeen} packets for ${frames} frames, not ${packetCount(frames)}`);
  await store(framesInLastPacket(frames));
  await lane.finish();
  return measure(sizes, frames, rate);
}

function measure(sizes: number[], frames: number, rate: number): AacRendition {
  const bitsPerSecond = (bytes: number, spanFrames: number) => Math.ceil((bytes * 8 * rate) / spanFrames);
  const peaks = sizes.map((bytes, segment) => {
    const { from, to } = segmentSpan(segment, frames);
    // A last segment of a few frames carries whole packets: its own rate would say nothing.
    return bitsPerSecond(bytes, Math.max(to - from, Math.min(frames, rate), FRAMES_PER_PACKET));
  });
  return {
    segments: sizes.length,
    bandwidth: peaks.reduce((a, b) => Math.max(a, b), 0),
    average_bandwidth: bitsPerSecond(
      sizes.reduce((a, b) => a + b, 0),
      Math.max(frames, FRAMES_PER_PACKET),
    ),
    codecs: CODECS,
  };
}

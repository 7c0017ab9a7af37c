import type { AacRendition } from "./contract.ts";
import { CODECS, initSegment, mediaSegment, type OutputRate } from "./fmp4.ts";
import { FRAMES_PER_PACKET, framesInLastPacket, packetCount, segmentSpan, segmentStart } from "./geometry.ts";
import { createTaskQueue, type Put, type TaskQueue } from "./outputs.ts";

/** Concurrent PUTs of one rendition. Hides the storage's latency without holding much. */
const QUEUE_WIDTH = 3;

interface Packing {
  /** AAC packets. They end with the track; only then is `totalFrames` called. */
  packets: AsyncIterable<Buffer>;
  totalFrames(): number;
  folder: string;
  rate: OutputRate;
  bitrate: number;
  put: Put;
}

interface Packer {
  /** Whole consecutive segments stored, from the first. The last may be shorter, so it never counts. */
  ready(): number;
  rendition: Promise<AacRendition>;
}

/** Cuts one AAC stream into HLS segments and stores each as soon as it is complete. */
export function packSegments(packing: Packing): Packer {
  const queue = createTaskQueue(QUEUE_WIDTH);
  const whole = { count: 0 };
  return {
    ready: () => Math.min(queue.ready(), whole.count),
    rendition: pack(packing, queue, whole),
  };
}

async function pack(packing: Packing, queue: TaskQueue, whole: { count: number }): Promise<AacRendition> {
  const { folder, rate, bitrate, put } = packing;
  const sizes: number[] = [];
  let packets: Buffer[] = [];
  let packetsSeen = 0;

  async function store(lastFrames: number): Promise<void> {
    const index = sizes.length;
    const segment = mediaSegment(index, segmentStart(index), packets, lastFrames);
    packets = [];
    sizes.push(segment.length);
    await init;
    await queue.add(() => put(`${folder}/${index}.m4s`, "video/iso.segment", segment));
  }

  // Reads at once, because the pipe's unread bytes are lost when a short encode exits.
  const init = put(`${folder}/init.mp4`, "video/mp4", initSegment(rate, bitrate));
  init.catch(() => {});
  for await (const packet of packing.packets) {
    // A last segment has another duration. Only a further packet proves that this one is not last.
    if (packetsSeen === segmentStart(sizes.length + 1)) {
      await store(FRAMES_PER_PACKET);
      whole.count++;
    }
    packets.push(packet);
    packetsSeen++;
  }

  const frames = packing.totalFrames();
  if (packetsSeen !== packetCount(frames))
    throw new Error(`${folder}: ${packetsSeen} packets for ${frames} frames, not ${packetCount(frames)}`);
  await store(framesInLastPacket(frames));
  await queue.finish();
  return measure(sizes, frames, rate);
}

function measure(sizes: number[], frames: number, rate: number): AacRendition {
  const bitsPerSecond = (bytes: number, spanFrames: number) => Math.ceil((bytes * 8 * rate) / spanFrames);
  const peaks = sizes.map((bytes, segment) => {
    const { from, to } = segmentSpan(segment, frames);
    // The last segment may present a few frames of whole packets. Its own rate would mean nothing.
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

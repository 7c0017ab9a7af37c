import type { Finished } from "./contract.ts";
import type { OutputRate } from "./fmp4.ts";
import { infoFrame, infoFrameBytes, packetsFor } from "./info-frame.ts";
import { createTaskQueue, type Put } from "./outputs.ts";

/** Bytes. Every part but the last has this length, so that division finds the part of a range. */
const PART_BYTES = 8 * 1024 * 1024;

/** Allocated without clearing, which would cost a short track more than its MP3. Only written bytes are stored. */
const emptyPart = (): Buffer => Buffer.allocUnsafe(PART_BYTES);

const PREVIEW_SECONDS = 30;

const MP3 = "audio/mpeg";

interface Packing {
  packets: AsyncIterable<Buffer>;
  totalFrames(): number;
  rate: OutputRate;
  put: Put;
}

/**
 * Stores the MP3 in parts and a preview of the same frames. Part 0 goes last, because it states the totals.
 */
export async function packMp3({
  packets,
  totalFrames,
  rate,
  put,
}: Packing): Promise<Pick<Finished["renditions"], "mp3_128" | "preview_mp3_128">> {
  const parts = createParts(infoFrameBytes(rate), put);
  const opening: Buffer[] = [];
  const maxOpening = packetsFor(PREVIEW_SECONDS * rate);
  let count = 0;
  let bytes = 0;
  for await (const packet of packets) {
    if (count < maxOpening) opening.push(Buffer.from(packet));
    count++;
    bytes += packet.length;
    await parts.append(packet);
  }

  const frames = totalFrames();
  if (count < packetsFor(frames)) throw new Error(`${count} MP3 packets are too few for ${frames} frames`);
  const mp3_128 = await parts.finish(infoFrame(rate, { packets: count, bytes, frames }));
  return { mp3_128, preview_mp3_128: await storePreview() };

  async function storePreview(): Promise<{ bytes: number }> {
    const previewFrames = Math.min(frames, PREVIEW_SECONDS * rate);
    const body = Buffer.concat(opening.slice(0, packetsFor(previewFrames)));
    const head = infoFrame(rate, {
      packets: packetsFor(previewFrames),
      bytes: body.length,
      frames: previewFrames,
    });
    await put("preview.mp3", MP3, Buffer.concat([head, body]));
    return { bytes: head.length + body.length };
  }
}

function createParts(reservedBytes: number, put: Put) {
  const queue = createTaskQueue(1);
  let first: Buffer | undefined;
  let part = emptyPart();
  let stored: Buffer | undefined;
  let filled = reservedBytes;
  let index = 0;

  const store = (n: number, body: Buffer) => queue.add(() => put(`mp3/${n}.mp3`, MP3, body));

  async function close(): Promise<void> {
    const body = part.subarray(0, filled);
    if (index === 0) first = body;
    else await store(index, body);
  }

  function startNext(): void {
    // The queue began this part, so it has stored the one before. A new buffer each time would leave 8 MiB of garbage.
    const free = stored;
    if (index > 0) stored = part;
    part = free ?? emptyPart();
    index++;
    filled = 0;
  }

  return {
    async append(packet: Buffer): Promise<void> {
      for (let taken = 0; taken < packet.length; ) {
        const copied = packet.copy(part, filled, taken);
        taken += copied;
        filled += copied;
        if (filled < PART_BYTES) continue;
        await close();
        startNext();
      }
    },
    async finish(head: Buffer): Promise<Finished["renditions"]["mp3_128"]> {
      const bytes = index * PART_BYTES + filled;
      if (filled > 0) await close();
      if (!first) throw new Error("the MP3 has no first part");
      first.set(head);
      await store(0, first);
      await queue.finish();
      return { bytes, part_bytes: PART_BYTES, parts: Math.ceil(bytes / PART_BYTES) };
    },
  };
}

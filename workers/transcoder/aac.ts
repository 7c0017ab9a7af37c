import { availableParallelism } from "node:os";
import { readAdts } from "./adts.ts";
import { Channel, readAhead } from "./channel.ts";
import { aacTo, packetsFrom, startEncoder } from "./encode.ts";
import type { Ffmpeg } from "./ffmpeg.ts";
import type { OutputRate } from "./fmp4.ts";
import { FRAMES_PER_PACKET, PACKETS_PER_SEGMENT } from "./geometry.ts";
import { BYTES_PER_FRAME, type PcmSink, pipeSink } from "./pcm.ts";

/** Encoders of one rendition at a time. Two renditions, the MP3 and the decoder share the cores. */
const ENCODERS = Number(process.env.AAC_ENCODERS) || Math.max(1, Math.floor(availableParallelism() / 2));

/** One segment would be no more than the pre-roll, so a third encoder would begin before the first has all its input. */
const FEWEST_SEGMENTS = 2;

/** Packets that one of several encoders makes: two minutes, which are 21 MB of PCM. */
const CHUNK_PACKETS =
  Math.max(FEWEST_SEGMENTS, Math.floor(Number(process.env.AAC_CHUNK_SEGMENTS)) || 20) * PACKETS_PER_SEGMENT;

/**
 * Packets that an encoder makes before its own, and drops: six seconds. Its rate control takes five to settle; after two, a chunk
 * begins 2 dB worse than a single pass. With a single packet, joins click.
 */
const PRE_ROLL_PACKETS = PACKETS_PER_SEGMENT;

/** Packets that an encoder makes after its own: the transform and the choice of windows look ahead. */
const LOOK_AHEAD_PACKETS = 2;

/** Bytes of PCM that one of several encoders may have waiting. A chunk is bounded anyway. */
const CHUNK_LAG_BYTES = Number.POSITIVE_INFINITY;

interface AacEncoding {
  sink: PcmSink;
  /** All packets in order, the first of them priming. Throws if an encoder fails. */
  packets: AsyncIterable<Buffer>;
}

interface Chunk {
  /** Frames [from, to) of the track that its encoder gets. */
  from: number;
  to: number;
  sink: PcmSink;
  packets: AsyncIterable<Buffer>;
}

interface Coder {
  ffmpeg: Ffmpeg;
  rate: OutputRate;
  bitrate: number;
  signal: AbortSignal;
}

/**
 * Encodes one rendition, in chunks by several encoders at once where the machine has the cores. Packets of a chunk equal those of
 * a single pass in number and place, so the joins need no edit.
 */
export function startAac(
  coder: Coder,
  { encoders, chunkPackets } = { encoders: ENCODERS, chunkPackets: CHUNK_PACKETS },
): AacEncoding {
  const chunks = new Channel<Chunk>();
  const packetsEach = encoders > 1 ? chunkPackets : Number.POSITIVE_INFINITY;
  const room = createRoom(encoders, coder.signal);
  let open: Chunk[] = [];
  let count = 0;
  let position = 0;

  function start(): void {
    const chunk = startChunk(coder, count, packetsEach);
    open.push(chunk);
    chunks.push(chunk);
    count++;
  }

  async function* inOrder(): AsyncGenerator<Buffer> {
    for await (const { packets } of chunks) {
      yield* packets;
      room.leave();
    }
  }

  // Starts at once, so that the encoder is ready for the first sample.
  void room.enter();
  start();

  return {
    packets: inOrder(),
    sink: {
      async write(block) {
        const from = position;
        position += block.length / BYTES_PER_FRAME;
        while (firstFrame(count, packetsEach) < position) {
          // Earlier chunks have all their input, so one of them ends.
          await room.enter();
          start();
        }
        await Promise.all(open.map((chunk) => feed(chunk, block, from)));
        open = open.filter(({ to }) => to > position);
      },
      end() {
        for (const { sink } of open) sink.end();
        chunks.end();
      },
    },
  };
}

const firstFrame = (chunk: number, packetsEach: number): number =>
  chunk === 0 ? 0 : (chunk * packetsEach - PRE_ROLL_PACKETS) * FRAMES_PER_PACKET;

/** Starts the encoder of one chunk, which makes `packetsEach` packets. Infinity: it is the only one. */
function startChunk({ ffmpeg, rate, bitrate, signal }: Coder, chunk: number, packetsEach: number): Chunk {
  const isOnly = packetsEach === Number.POSITIVE_INFINITY;
  const encoder = startEncoder(ffmpeg, rate, [aacTo("pipe:1", bitrate)], { signal });
  const all = packetsFrom(encoder, "the AAC encoder", readAdts(encoder.stdout));
  const dropped = chunk === 0 ? 0 : PRE_ROLL_PACKETS;
  const own = slice(all, dropped, dropped + packetsEach);
  return {
    from: firstFrame(chunk, packetsEach),
    to: ((chunk + 1) * packetsEach + LOOK_AHEAD_PACKETS) * FRAMES_PER_PACKET,
    sink: pipeSink(encoder.stdin, signal, isOnly ? undefined : CHUNK_LAG_BYTES),
    packets: isOnly ? own : readAhead(own),
  };
}

async function feed({ from, to, sink }: Chunk, block: Buffer, blockFrom: number): Promise<void> {
  const frames = block.length / BYTES_PER_FRAME;
  const [start, end] = [Math.max(0, from - blockFrom), Math.min(frames, to - blockFrom)];
  await sink.write(block.subarray(start * BYTES_PER_FRAME, end * BYTES_PER_FRAME));
  if (to <= blockFrom + frames) sink.end();
}

/** Reads to the end, so that the encoder may end. */
async function* slice(packets: AsyncIterable<Buffer>, from: number, to: number): AsyncGenerator<Buffer> {
  let index = 0;
  for await (const packet of packets) {
    if (index >= from && index < to) yield packet;
    index++;
  }
}

/** Lets so many in at a time. An abort lets everybody in, so that nobody waits for a dead encoder. */
function createRoom(places: number, signal: AbortSignal) {
  let inside = 0;
  let wake = () => {};
  signal.addEventListener("abort", () => wake(), { once: true });
  return {
    async enter() {
      if (inside === places)
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (signal.aborted) resolve();
        });
      inside++;
    },
    leave() {
      inside--;
      wake();
    },
  };
}

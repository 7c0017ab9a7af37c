import { JobFailure } from "./failures.ts";
import { BYTES_PER_FRAME } from "./pcm.ts";

/**
 * Words that begin a frame of compressed sound where samples should be, in both channels: the preamble of IEC 61937, by which
 * AC-3 and its like go to a receiver, and DTS of 16 and 14 bits. Heard as samples they are noise at full level.
 */
const SYNC_WORDS = ["72f81f4e", "fe7f0180", "ff1f00e8"].map((hex) => Buffer.from(hex, "hex"));

/** Number of equally spaced bursts that sound does not produce by chance. */
const RUN = 3;

/** Frames. The shortest burst of DTS has 512 samples; a wave at full scale may repeat the word sooner. */
const MIN_DISTANCE = 256;

/** The first word may stand in either channel. */
const SAMPLE_BYTES = 2;

interface Seen {
  at: number;
  distance: number;
  run: number;
}

/** Passes the samples on, and throws at a third burst. ffmpeg finds such streams only at a file's beginning. */
export async function* withoutBursts(pcm: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const seen = SYNC_WORDS.map((): Seen => ({ at: 0, distance: 0, run: 0 }));
  let from = 0;
  for await (const block of pcm) {
    for (const [n, word] of SYNC_WORDS.entries())
      for (const at of framesWith(block, word)) note(seen[n], from + at);
    from += block.length / BYTES_PER_FRAME;
    yield block;
  }
}

function* framesWith(block: Buffer, word: Buffer): Generator<number> {
  for (let at = block.indexOf(word); at >= 0; at = block.indexOf(word, at + 1))
    if (at % SAMPLE_BYTES === 0) yield at / BYTES_PER_FRAME;
}

function note(seen: Seen | undefined, at: number): void {
  if (!seen) return;
  const distance = at - seen.at;
  const run = distance === seen.distance && distance >= MIN_DISTANCE ? seen.run + 1 : 1;
  Object.assign(seen, { at, distance, run });
  if (run >= RUN) throw new JobFailure("unsupported_codec", "AC-3, DTS or the like in place of samples");
}

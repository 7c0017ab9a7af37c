import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { BYTES_PER_FRAME, MAX_SECONDS, pipeSink, pour } from "../../workers/transcoder/pcm.ts";

/** One frame a second makes a day short. */
async function pourSeconds(seconds: number): Promise<number> {
  async function* pcm(): AsyncGenerator<Buffer> {
    for (let left = seconds; left > 0; left -= 1000)
      yield Buffer.alloc(Math.min(left, 1000) * BYTES_PER_FRAME);
  }
  const count = { rate: 1, frames: 0, secondsDecoded: 0 };
  await pour(pcm(), [], count, () => {});
  return count.frames;
}

test("a track may last exactly a day, whatever its header says", async () => {
  expect(await pourSeconds(MAX_SECONDS)).toBe(MAX_SECONDS);
  await expect(pourSeconds(MAX_SECONDS + 1)).rejects.toMatchObject({ reason: "too_long", retryable: false });
});

const BLOCK = Buffer.alloc(100_000);

test.for(["reads on", "dies", "is no longer wanted"])(
  "a writer waits for an encoder that lags behind, until it %s",
  async (then) => {
    const encoder = new PassThrough();
    const work = new AbortController();
    const sink = pipeSink(encoder, work.signal, 150_000);
    await sink.write(BLOCK);
    let isThrough = false;
    const written = sink.write(BLOCK).then(() => {
      isThrough = true;
    });
    await sleep(20);
    expect(isThrough).toBe(false);
    if (then === "reads on") encoder.resume();
    if (then === "dies") encoder.destroy();
    if (then === "is no longer wanted") work.abort();
    await written;
  },
);

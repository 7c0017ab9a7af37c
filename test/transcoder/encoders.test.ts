import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { startEncoders } from "../../workers/transcoder/encoders.ts";
import { ffmpeg } from "../support/ffmpeg.ts";
import { sweepWithBursts } from "../support/sources/pcm.ts";

const RATE = 44_100;

async function encode(pcm: Buffer, declaredSeconds: number) {
  const { signal } = new AbortController();
  const { sinks, high, low, mp3, loudness } = startEncoders({ ffmpeg, rate: RATE, signal }, declaredSeconds);
  const outputs = Promise.all([buffer(high), buffer(low), buffer(mp3), loudness]);
  await Promise.all(sinks.map((sink) => sink.write(pcm)));
  for (const sink of sinks) sink.end();
  return { processes: sinks.length, outputs: await outputs };
}

test("a short track comes out of one process as it does out of four", async () => {
  const pcm = Buffer.from(sweepWithBursts(RATE * 3, RATE).buffer);
  const [short, long] = await Promise.all([encode(pcm, 3), encode(pcm, 300)]);
  expect([short.processes, long.processes]).toEqual([1, 4]);
  expect(short.outputs).toEqual(long.outputs);
  expect(short.outputs[3].integrated_lufs).toBeLessThan(0);
});

test("silence has neither loudness nor a range nor a peak", async () => {
  const { outputs } = await encode(Buffer.alloc(RATE * 4), 1);
  expect(outputs[3]).toEqual({ integrated_lufs: null, range_lu: null, true_peak_dbtp: null });
});

import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ffmpeg } from "../support/ffmpeg.ts";
import { casesOf } from "../support/repeats.ts";
import { extensibleWav, waveWith } from "../support/sources/wave.ts";
import { startTranscoder, type Transcoder } from "./transcoder-process.ts";

let transcoder: Transcoder;
beforeAll(async () => {
  transcoder = await startTranscoder();
});
afterAll(() => transcoder?.stop());

async function finished(file: Uint8Array) {
  const { worker, verdict } = await transcoder.encode(file);
  if (verdict.outcome !== "finished") throw new Error(JSON.stringify(verdict.body));
  const { samples } = JSON.parse(String(worker.outputs.get("waveform.json")));
  return { result: verdict.body, heights: samples as number[] };
}

const MONO = "mono|c0=c0";
const STEREO = "stereo|c0=c0|c1=c0";
const SURROUND = "5.1|FL=c0|FR=c0|FC=c0|LFE=0*c0|BL=c0|BR=c0";

const ENCODERS = {
  ogg: ["-c:a", "libvorbis", "-f", "ogg"],
  opus: ["-c:a", "libopus", "-f", "ogg"],
  aac: ["-c:a", "aac", "-f", "adts"],
  mp3: ["-write_xing", "0", "-id3v2_version", "0", "-f", "mp3"],
};

const JOINS = [
  ["ogg", "stereo", "mono", STEREO, MONO],
  ["mp3", "stereo", "mono", STEREO, MONO],
  ["aac", "surround", "mono", SURROUND, MONO],
  ["ogg", "mono", "surround", MONO, SURROUND],
  ["aac", "stereo", "mono", STEREO, MONO],
  ["opus", "stereo", "mono", STEREO, MONO],
  ["opus", "mono", "stereo", MONO, STEREO],
  ["aac", "stereo", "surround", STEREO, SURROUND],
] as const;

test.for(casesOf(4, JOINS))(
  "%s that goes on in another layout keeps its level: %s, then %s",
  async (join) => {
    const [format, , , ...layouts] = join;
    const parts = layouts.map(
      (layout) =>
        spawnSync(ffmpeg.path, [
          "-v",
          "error",
          "-f",
          "lavfi",
          "-i",
          "sine=440:r=44100:d=2,volume=6dB",
          "-af",
          `pan=${layout}`,
          ...ENCODERS[format],
          "-",
        ]).stdout,
    );
    const { result, heights } = await finished(Buffer.concat(parts));
    expect(result.warnings).toEqual([]);
    // A quarter of full scale, which is 280.
    for (const column of [450, 1350]) expect(Math.abs((heights[column] ?? 0) - 70)).toBeLessThan(6);
  },
);

const MASKS = [
  ["left alone", 0x1, 1],
  ["the centre and the bass", 0xc, 2],
  ["left and its side, which ffmpeg refuses", 0x201, 2],
  ["the back alone", 0x30, 2],
  ["left, centre and one in the back", 0x15, 3],
  ["more channels than there are", 0x3f, 4],
  ["nothing", 0, 6],
  ["every place", 0xffff_ffff, 2],
] as const;

test.for(casesOf(3, MASKS))(
  "a mask of channels that names %s keeps both sides and their level",
  async (mask) => {
    const [, bits, channels] = mask;
    const { result, heights } = await finished(extensibleWav({ channels, mask: bits, level: 0.5 }));
    expect(result).toMatchObject({ channels_in: channels, warnings: [] });
    expect(result.loudness.true_peak_dbtp).toBeCloseTo(-6, 0);
    // Twice as loud as one side would be.
    expect(result.loudness.integrated_lufs).toBeCloseTo(-6.7, 0);
    expect(Math.abs((heights[900] ?? 0) - 140)).toBeLessThan(4);
  },
);

test.for([
  ["above full scale by 6 dB is clipped, with a warning", 2, ["clipped"]],
  ["at full scale has none", 1, []],
] as const)("a WAVE of floats %s", async ([, level, warnings]) => {
  const floats = Float32Array.from({ length: 44_100 }, (_, n) => level * Math.sin(n * 0.06));
  const body = Buffer.from(floats.buffer);
  const { result } = await finished(waveWith({ format: 3, channels: 1, bits: 32, body }));
  expect(result).toMatchObject({ codec: "pcm_f32le", frames: 44_100, warnings });
  expect(result.loudness.true_peak_dbtp).toBeCloseTo(0, 0);
});

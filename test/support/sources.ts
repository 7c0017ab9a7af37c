import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { copyFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ffmpeg } from "./ffmpeg.ts";
import { sweepWithBursts, wavFile } from "./sources/pcm.ts";

export interface SourceFile {
  path: string;
  /** Exact values, for lossless formats only. */
  frames?: number;
  rate?: number;
}

type FamilyName = "aiff" | "wav" | "flac" | "ogg" | "mp2" | "mp3" | "aac" | "amr" | "wma";

type VariantName =
  | "wav48"
  | "mono"
  | "surround"
  | "m4a"
  | "alac"
  | "opus"
  | "taggedMp3"
  | "w64"
  | "amrInMp4"
  | "bareMp3";

type HostileName = "corrupt" | "empty" | "noise" | "text" | "silentVideo" | "noSamples";

export type Sources = Record<FamilyName | VariantName | HostileName, SourceFile>;

/** Long enough for a second, shorter HLS segment. No multiple of any codec's frame. */
export const SECONDS = 2.3;

const RATE = 44_100;
const FRAMES = Math.round(SECONDS * RATE);

const run = promisify(execFile);

/** Survives runs. Other files or another ffmpeg get another directory. */
function sourcesDirectory(): string {
  const hash = createHash("sha256").update(ffmpeg.path);
  for (const name of ["sources.ts", "sources/pcm.ts"])
    hash.update(readFileSync(join(import.meta.dirname, name)));
  return join(tmpdir(), `soundpost-sources-${hash.digest("hex").slice(0, 12)}`);
}

let made: Promise<Sources> | undefined;

/** Short real files of every format and some deceptive ones, shared by all test files. */
export const makeSources = (): Promise<Sources> => (made ??= makeIn(sourcesDirectory()));

async function makeIn(directory: string): Promise<Sources> {
  await mkdir(directory, { recursive: true });
  const at = (name: string) => join(directory, name);

  /** Renames into place, because concurrent test files may share the directory. */
  async function make(name: string, write: (path: string) => Promise<unknown>): Promise<SourceFile> {
    if (!existsSync(at(name))) {
      const draft = at(`draft-${process.pid}-${name}`);
      await write(draft);
      await rename(draft, at(name));
    }
    return { path: at(name) };
  }

  const exact = async (file: Promise<SourceFile>, frames: number, rate: number): Promise<SourceFile> => ({
    ...(await file),
    frames,
    rate,
  });

  const convert = (from: SourceFile, name: string, args: string[]) =>
    make(name, (path) => run(ffmpeg.path, ["-v", "error", "-nostdin", "-i", from.path, ...args, "-y", path]));

  const writing = (name: string, content: () => Uint8Array | string) =>
    make(name, (path) => writeFile(path, content()));

  const wav = await exact(
    writing("tone.wav", () => wavFile(sweepWithBursts(FRAMES, RATE), RATE)),
    FRAMES,
    RATE,
  );
  const frames48 = Math.round(SECONDS * 48_000);
  const wav48 = exact(
    writing("tone48.wav", () => wavFile(sweepWithBursts(frames48, 48_000), 48_000)),
    frames48,
    48_000,
  );
  const mp3 = await convert(wav, "tone.mp3", ["-b:a", "192k"]);
  const flac = await exact(convert(wav, "tone.flac", []), FRAMES, RATE);

  return {
    wav,
    wav48: await wav48,
    aiff: await exact(convert(wav, "tone.aiff", []), FRAMES, RATE),
    flac,
    ogg: await convert(wav, "tone.ogg", ["-c:a", "libvorbis"]),
    opus: await convert(wav, "tone.opus", ["-c:a", "libopus"]),
    mp2: await convert(wav, "tone.mp2", ["-b:a", "192k"]),
    mp3,
    bareMp3: await convert(wav, "bare.mp3", ["-b:a", "192k", "-write_xing", "0", "-id3v2_version", "0"]),
    taggedMp3: await make("tagged.mp3", (path) =>
      run(ffmpeg.path, [
        // A noise picture of some 300 KB pushes the audio out of the first bytes.
        "-v",
        "error",
        "-f",
        "lavfi",
        "-i",
        "nullsrc=s=320x320:d=0.04,geq=random(1)*255:128:128",
        "-i",
        wav.path,
        "-map",
        "1",
        "-map",
        "0",
        "-frames:v",
        "1",
        "-pix_fmt",
        "rgb24",
        "-c:v",
        "png",
        "-b:a",
        "192k",
        "-metadata",
        "comment=-i /etc/passwd; Stream #0:0: Audio: pcm, 1 Hz",
        "-y",
        path,
      ]),
    ),
    w64: await exact(convert(wav, "tone.w64", []), FRAMES, RATE),
    aac: await convert(wav, "tone.aac", ["-c:a", "aac"]),
    m4a: await convert(wav, "tone.m4a", ["-c:a", "aac"]),
    alac: await exact(convert(wav, "lossless.m4a", ["-c:a", "alac"]), FRAMES, RATE),
    wma: await convert(wav, "tone.wma", ["-c:a", "wmav2"]),
    // Debian's ffmpeg decodes AMR but cannot encode it.
    amr: await make("tone.amr", (path) => copyFile(join(import.meta.dirname, "sources/sweep.amr"), path)),
    amrInMp4: await make("voice.3gp", (path) =>
      copyFile(join(import.meta.dirname, "sources/sweep.3gp"), path),
    ),
    mono: await exact(convert(wav, "mono.wav", ["-ac", "1"]), FRAMES, RATE),
    surround: await exact(convert(wav, "surround.wav", ["-ac", "6"]), FRAMES, RATE),
    corrupt: await make("corrupt.flac", async (path) => {
      const whole = await readFile(flac.path);
      await writeFile(path, Buffer.concat([whole.subarray(0, 42), pseudoNoise(20_000)]));
    }),
    empty: await writing("empty.mp3", () => ""),
    noise: await writing("noise.mp3", () => pseudoNoise(200_000)),
    text: await writing("text.mp3", () => "These are only words, whatever the name says.\n".repeat(50)),
    silentVideo: await make("video.mp4", (path) =>
      run(ffmpeg.path, [
        "-v",
        "error",
        "-f",
        "lavfi",
        "-i",
        "testsrc=s=64x64:d=1",
        "-c:v",
        "mpeg4",
        "-f",
        "mp4",
        "-y",
        path,
      ]),
    ),
    noSamples: await writing("nothing.wav", () => wavFile(new Int16Array(0), RATE)),
  };
}

/** Seeded, so that failures can be reproduced. */
function pseudoNoise(bytes: number): Uint8Array {
  let state = 12_345;
  return Uint8Array.from({ length: bytes }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 24;
  });
}

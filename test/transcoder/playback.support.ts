import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Finished } from "../../workers/transcoder/contract.ts";
import { segmentSpan } from "../../workers/transcoder/geometry.ts";
import { ffmpeg } from "../support/ffmpeg.ts";

const run = promisify(execFile);
const MAX_PCM_BYTES = 64 * 1024 * 1024;

/** Builds the playlist from the report alone, like the Worker. */
function playlistFor(result: Finished, rendition: "aac_160" | "aac_96"): string {
  const spans = Array.from({ length: result.renditions[rendition].segments }, (_, segment) => {
    const { from, to } = segmentSpan(segment, result.frames);
    return `#EXTINF:${((to - from) / result.sample_rate).toFixed(6)},\n${segment}.m4s`;
  });
  const head = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:6", '#EXT-X-MAP:URI="init.mp4"'];
  return [...head, ...spans, "#EXT-X-ENDLIST", ""].join("\n");
}

/** Plays the stored segments with ffmpeg like an HLS client. Returns every promised sample, stereo. */
export async function listenToHls(
  outputs: Map<string, Buffer>,
  result: Finished,
  folder = "160",
): Promise<Int16Array> {
  const files = new Map(
    [...outputs]
      .filter(([name]) => name.startsWith(`hls/${folder}/`))
      .map(([name, body]) => [name.slice(5 + folder.length), body]),
  );
  files.set("list.m3u8", Buffer.from(playlistFor(result, folder === "160" ? "aac_160" : "aac_96")));
  // Browsers cut the encoder's padding at the end; plain ffmpeg does not.
  const cut = `atrim=start=0:end_pts=${result.frames}`;
  return withFiles(files, (directory) => decode(join(directory, "list.m3u8"), ["-copyts"], ["-af", cut]));
}

export const listenToMp3 = (mp3: Buffer): Promise<Int16Array> =>
  withFiles(new Map([["track.mp3", mp3]]), (directory) => decode(join(directory, "track.mp3"), [], []));

export const mp3Parts = (outputs: Map<string, Buffer>, parts: number): Buffer =>
  Buffer.concat(Array.from({ length: parts }, (_, n) => outputs.get(`mp3/${n}.mp3`) ?? Buffer.alloc(0)));

export async function decode(path: string, before: string[], after: string[]): Promise<Int16Array> {
  const { stdout } = await run(
    ffmpeg.path,
    ["-v", "error", "-nostdin", ...before, "-i", path, ...after, "-ac", "2", "-f", "s16le", "pipe:1"],
    { encoding: "buffer", maxBuffer: MAX_PCM_BYTES },
  );
  return new Int16Array(Uint8Array.from(stdout).buffer);
}

async function withFiles<T>(files: Map<string, Buffer>, use: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "listening-"));
  try {
    for (const [name, body] of files) {
      await mkdir(dirname(join(directory, name)), { recursive: true });
      await writeFile(join(directory, name), body);
    }
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Frames by which `heard` lags at `at`: the shift within ±1300 where the left channels agree best. */
export function lagAt(at: number, source: Int16Array, heard: Int16Array): { lag: number; likeness: number } {
  const WINDOW = 6000;
  const REACH = 1300;
  let best = { lag: 0, likeness: -1 };
  for (let lag = -REACH; lag <= REACH; lag++) {
    let dot = 0;
    let a2 = 0;
    let b2 = 0;
    for (let n = at; n < at + WINDOW; n += 1) {
      const a = source[2 * n] ?? 0;
      const b = heard[2 * (n + lag)] ?? 0;
      dot += a * b;
      a2 += a * a;
      b2 += b * b;
    }
    const likeness = dot / (Math.sqrt(a2 * b2) || 1);
    if (likeness > best.likeness) best = { lag, likeness };
  }
  return best;
}

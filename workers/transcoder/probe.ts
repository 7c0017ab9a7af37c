import { randomBytes } from "node:crypto";
import { chaptersIn, textOf, WRITE_CHAPTERS } from "./chapters.ts";
import type { FileChapter } from "./contract.ts";
import { JobFailure } from "./failures.ts";
import { expectOwnEnd, type Ffmpeg, startFfmpeg } from "./ffmpeg.ts";
import type { Sniffed } from "./sniff.ts";
import type { Source } from "./source.ts";

export interface AudioStream {
  codec: string;
  sampleRate: number;
  channels: number;
  /** In ffmpeg's words: `stereo`, `5.1(side)`, `7 channels`, `2 channels (FL+SL)`, `ambisonic 1+stereo`. */
  layout: string;
  /** FLAC's samples of 32 bits, which ffmpeg decodes since version 6. */
  isWideFlac: boolean;
  /** Declared by the headers, or a guess. Never trust it. */
  declaredSeconds: number;
  /** ffmpeg's from the bit rate, or also another stream's length: pictures or a second voice may go on without the audio. */
  isGuess: boolean;
}

export interface Probed extends AudioStream {
  chapters: FileChapter[];
}

const CODECS = [
  "aac,alac,mp1,mp2,mp3,flac,vorbis,opus,wmav1,wmav2,wmapro,wmalossless,wmavoice,amrnb,amrwb,amr_nb,amr_wb",
  "mp1float,mp2float,mp3float,libopus,libvorbis,libopencore_amrnb,libopencore_amrwb",
  "pcm_u8,pcm_s8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be,pcm_f32le,pcm_f32be,pcm_f64le,pcm_f64be",
  "pcm_alaw,pcm_mulaw,adpcm_ms,adpcm_ima_wav,adpcm_ima_qt,gsm_ms",
]
  .join(",")
  .split(",");

/** ffmpeg's whitelist needs the full name of the MOV demuxer. */
const fullName = (demuxer: Sniffed["demuxer"]): string =>
  demuxer === "mov" ? "mov,mp4,m4a,3gp,3g2,mj2" : demuxer;

/** Restricts a hostile file to one demuxer, our decoders, and the loopback. */
export const guardedInput = (url: string, demuxer: Sniffed["demuxer"]): string[] => [
  "-protocol_whitelist",
  "http,tcp",
  "-format_whitelist",
  fullName(demuxer),
  "-codec_whitelist",
  CODECS.join(","),
  "-threads",
  "1",
  "-f",
  demuxer,
  "-i",
  url,
];

const PROTECTED_ASF = /^\[asf @ \w+\] (?:Ext )?DRM protected/i;

/** Kinds of encrypted samples: FairPlay's, Common Encryption's and Audible's. */
const PROTECTED_MP4 = /^[^,]*\((?:drms|enca|aavd) \//;

/** ffmpeg prints metadata in quadratic time: megabytes of line ends would take hours. */
const CPU_SECONDS = Number(process.env.PROBE_CPU_SECONDS ?? 10);

/** Reads the first audio stream, and the chapters, from ffmpeg's output, because not every build has ffprobe. */
export async function probe(
  ffmpeg: Ffmpeg,
  source: Source,
  sniffed: Sniffed,
  signal: AbortSignal,
): Promise<Probed> {
  const input = guardedInput(source.url, sniffed.demuxer);
  // Follows the codec in ffmpeg's own lines. It prints names of tags with their line ends, and no file can guess this.
  const mark = ` ${randomBytes(8).toString("hex")} `;
  const seen: { audio?: string; other: boolean; seconds: number; isGuess: boolean; isProtected: boolean } = {
    other: false,
    seconds: 0,
    isProtected: false,
    // An Ogg announces no length. ffmpeg takes the last page's time, which in a recorded live stream began long before.
    isGuess: sniffed.demuxer === "ogg",
  };
  const prober = startFfmpeg(
    ffmpeg,
    ["-loglevel", "info", "-dump_separator", mark, ...input, ...WRITE_CHAPTERS],
    {
      signal,
      cpuSeconds: CPU_SECONDS,
      onLine(line) {
        const [, kind, rest] = /^ {2,4}Stream #0:\d+[^:]*: (\w+): (.*)/.exec(line) ?? [];
        const audio = kind === "Audio" && rest?.includes(mark) ? rest.replace(mark, ", ") : undefined;
        if (audio !== undefined && seen.audio !== undefined) seen.isGuess = true;
        seen.audio ??= audio;
        if (kind && kind !== "Audio") seen.other = true;
        if (kind === "Video" && !rest?.includes("(attached pic)")) seen.isGuess = true;
        const [, h, m, s, start = 0] =
          /^ {2}Duration: (\d+):(\d\d):(\d\d\.\d+)(?:, start: (\d+\.\d+))?/.exec(line) ?? [];
        // A movie's length counts an empty edit ahead of the sound, which is not decoded.
        const emptyEdit = sniffed.demuxer === "mov" ? Number(start) : 0;
        if (s) seen.seconds = Number(h) * 3600 + Number(m) * 60 + Number(s) - emptyEdit;
        if (PROTECTED_ASF.test(line)) seen.isProtected = true;
        if (line.includes("Estimating duration from bitrate")) seen.isGuess = true;
      },
    },
  );
  prober.stdin.end();
  const [metadata, exit] = await Promise.all([textOf(prober.stdout), prober.exited]);
  signal.throwIfAborted();

  if (seen.isProtected || PROTECTED_MP4.test(seen.audio ?? ""))
    throw new JobFailure("protected", "the audio is encrypted");
  if (seen.audio !== undefined)
    return {
      ...readStream(seen.audio),
      declaredSeconds: seen.seconds,
      isGuess: seen.isGuess,
      chapters: chaptersIn(metadata),
    };
  if (seen.other) throw new JobFailure("no_audio_stream", "the file has streams, but none of audio");
  expectOwnEnd(exit, "the probe");
  throw new JobFailure("unreadable_container", complaintOf(prober, source));
}

/** Shown to the track's owner, so it hides our loopback URL. */
export const complaintOf = (ffmpeg: { lastLines(): string[] }, source: { url: string }): string =>
  ffmpeg.lastLines().at(-1)?.replaceAll(source.url, "source") ?? "no sample came out";

function readStream(description: string): Omit<AudioStream, "declaredSeconds" | "isGuess"> {
  const [codec = ""] = description.split(/[ ,]/);
  if (!CODECS.includes(codec)) throw new JobFailure("unsupported_codec", `audio of kind ${codec}`);
  const [, rate, layout = ""] = / (\d+) Hz, ([^,]+)/.exec(description) ?? [];
  const [, format = ""] = / Hz, [^,]+, (\w+(?: \(\d+ bit\))?)/.exec(description) ?? [];
  const channels = channelCount(layout);
  if (!rate || !channels)
    throw new JobFailure("undecodable", `audio without rate or channels: ${description}`);
  return {
    codec,
    sampleRate: Number(rate),
    channels,
    layout,
    isWideFlac: codec === "flac" && format === "s32",
  };
}

const NAMED_LAYOUTS: Record<string, number> = {
  mono: 1,
  stereo: 2,
  downmix: 2,
  quad: 4,
  hexagonal: 6,
  octagonal: 8,
  hexadecagonal: 16,
};

/** Captures the order. */
const AMBISONIC = /^ambisonic (\d+)/;

/** `stereo`, `5.1(side)`, `7 channels`, `7 channels (FL+FR+…)`, `ambisonic 1`, `ambisonic 1+stereo`. */
function channelCount(layout: string): number {
  const [, count] = /^(\d+) channels/.exec(layout) ?? [];
  if (count) return Number(count);
  const [, order] = AMBISONIC.exec(layout) ?? [];
  if (order) return (Number(order) + 1) ** 2 + (layout.includes("+stereo") ? 2 : 0);
  const [, full, low] = /^(\d+)\.(\d)/.exec(layout) ?? [];
  if (full) return Number(full) + Number(low);
  return NAMED_LAYOUTS[/^\w+/.exec(layout)?.[0] ?? ""] ?? 0;
}

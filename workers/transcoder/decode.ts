import { withoutBursts } from "./bursts.ts";
import { IN_LARGE_PIECES } from "./encode.ts";
import { JobFailure } from "./failures.ts";
import { expectOwnEnd, type Ffmpeg, startFfmpeg } from "./ffmpeg.ts";
import { MAX_SECONDS } from "./pcm.ts";
import { type AudioStream, complaintOf, guardedInput } from "./probe.ts";
import { firstFrames, fromFloats, wholeFrames } from "./samples.ts";
import type { Sniffed } from "./sniff.ts";
import type { Source } from "./source.ts";
import { toStereo } from "./stereo.ts";

/** Hz. Rates of the 44.1 kHz family stay in it; all others become 48 kHz. */
export const outputRate = (sampleRate: number): 44_100 | 48_000 =>
  44_100 % sampleRate === 0 || sampleRate % 44_100 === 0 ? 44_100 : 48_000;

/**
 * ffmpeg's warnings about sound files. Cover art: its decoder is deliberately not on the whitelist. Chained Ogg: the
 * search for the length meets a later stream, whose time may begin before the last one's end. A lost stream causes
 * further warnings.
 */
const HARMLESS = [
  /not on whitelist|Last message repeated/,
  /failed to create or replace stream|non monotonically increasing dts to muxer/,
];

/** ffmpeg's own words about each packet that a decoder has complained of. */
const REPEATED = /Error while decoding stream|Error submitting packet|Decoding error/;

/** Warnings about bytes of an MPEG stream that are no frame: padding, a tag, or a damaged header. */
const NO_FRAME = [/Header missing/, REPEATED];

/** Decoder warnings about sound files. */
function harmlessIn({ codec, demuxer }: AudioStream & Sniffed): RegExp[] {
  // Less than a sample is left at the end. Some writers count the byte that aligns a chunk. Nothing else fails in a PCM decoder.
  if (codec.startsWith("pcm_")) return [...HARMLESS, /Invalid PCM packet/, REPEATED];
  // The heads of a chain's later streams. Damage shows in the sums of Ogg's pages.
  if (codec === "opus" && demuxer === "ogg")
    return [...HARMLESS, /Error parsing the packet header/, REPEATED];
  // A few bytes behind the last frame, such as a line end. A source that is lost ends the job by itself.
  if (demuxer === "aac") return [...HARMLESS, /Input\/output error$/];
  return HARMLESS;
}

const INTEGERS = ["-c:a", "pcm_s16le", "-f", "s16le"];
const FLOATS = ["-c:a", "pcm_f32le", "-f", "f32le"];

interface Verdict {
  complained: boolean;
  /** Bytes between the frames of an MPEG stream were passed over. They may be tags. */
  passedOver: boolean;
  /** Samples were above full scale. */
  clipped: boolean;
}

interface Decoder {
  pcm: AsyncIterable<Buffer>;
  /** Call it after `pcm` ends. Throws if no sample came out. */
  verdict(frames: number): Promise<Verdict>;
}

/** The only process that decodes hostile bytes. */
export function startDecoder(
  ffmpeg: Ffmpeg,
  source: Source,
  audio: AudioStream & Sniffed & { seconds?: number | undefined },
  signal: AbortSignal,
): Decoder {
  const said: Verdict = { complained: false, passedOver: false, clipped: false };
  const harmless = harmlessIn(audio);
  const rate = outputRate(audio.sampleRate);
  const isFloat = /^pcm_f/.test(audio.codec);
  const decoder = startFfmpeg(
    ffmpeg,
    [
      "-loglevel",
      "error",
      ...guardedInput(source.url, audio.demuxer),
      "-map",
      "0:a:0",
      "-vn",
      "-sn",
      "-dn",
      "-map_metadata",
      "-1",
      "-t",
      String(MAX_SECONDS + 60),
      ...toStereo(audio),
      "-ar",
      String(rate),
      "-ac",
      "2",
      ...IN_LARGE_PIECES,
      ...(isFloat ? FLOATS : INTEGERS),
      "pipe:1",
    ],
    {
      signal,
      onLine(line) {
        if (harmless.some((known) => known.test(line))) return;
        const isNoFrame = audio.demuxer === "mp3" && NO_FRAME.some((known) => known.test(line));
        said[isNoFrame ? "passedOver" : "complained"] = true;
      },
    },
  );
  decoder.stdin.end();
  const samples = isFloat
    ? fromFloats(decoder.stdout, () => {
        said.clipped = true;
      })
    : wholeFrames(decoder.stdout);
  const limit = audio.seconds === undefined ? Number.POSITIVE_INFINITY : Math.round(audio.seconds * rate);
  return {
    pcm: withoutBursts(firstFrames(samples, limit)),
    async verdict(frames) {
      const exit = await decoder.exited;
      signal.throwIfAborted();
      expectOwnEnd(exit, "the decoder");
      if (frames === 0 && audio.isWideFlac) throw new JobFailure("unsupported_codec", "FLAC of 32 bits");
      if (frames === 0) throw new JobFailure("undecodable", complaintOf(decoder, source));
      return { ...said, complained: said.complained || exit.code !== 0 };
    },
  };
}

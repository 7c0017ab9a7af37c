import { IN_LARGE_PIECES } from "./encode.ts";
import { JobFailure } from "./failures.ts";
import { expectOwnEnd, type Ffmpeg, startFfmpeg } from "./ffmpeg.ts";
import { BYTES_PER_FRAME, MAX_SECONDS } from "./pcm.ts";
import { type AudioStream, complaintOf, inputFrom } from "./probe.ts";
import type { Sniffed } from "./sniff.ts";
import type { Source } from "./source.ts";

/** Hz. Rates of the 44.1 kHz family stay in it; all others become 48 kHz. */
export const outputRate = (sampleRate: number): 44_100 | 48_000 =>
  44_100 % sampleRate === 0 || sampleRate % 44_100 === 0 ? 44_100 : 48_000;

/** No named layout has more channels. Beyond it the first pair is the best guess. */
const MAX_DOWNMIX_CHANNELS = 8;

/**
 * `pan` copies the channel. ffmpeg's default from mono to stereo loses 3 dB. Joined files go on in stereo, so the copy names the
 * centre, which stereo lacks: by number, it would put the left channel on both sides and lose the right one. ffmpeg refuses to
 * mix ambisonics down.
 */
function toStereo({ channels, isMono, isAmbisonic }: AudioStream): string[] {
  if (isMono) return ["-af", "pan=stereo|FL=FL+FC|FR=FR+FC"];
  if (channels === 1 || isAmbisonic) return ["-af", "pan=stereo|c0=c0|c1=c0"];
  if (channels > MAX_DOWNMIX_CHANNELS) return ["-af", "pan=stereo|c0=c0|c1=c1"];
  return [];
}

/**
 * Complaints about files that are in order. Cover art: its decoder is deliberately not on the whitelist. Chained Ogg: the look
 * for the length meets a later stream, whose time may begin before the last one's end. A stream that is lost says more.
 */
const HARMLESS = [
  /not on whitelist|Last message repeated/,
  /failed to create or replace stream|non monotonically increasing dts to muxer/,
];

/** ffmpeg's own words about each packet that a decoder has complained of. */
const REPEATED = /Error while decoding stream|Error submitting packet|Decoding error/;

/** Complaints about bytes of an MPEG stream that are no frame, or no longer one: padding, a tag, or a damaged header. */
const NO_FRAME = [/Header missing/, REPEATED];

/** Complaints of decoders about files that are in order. */
function harmlessIn({ codec, demuxer }: AudioStream & Sniffed): RegExp[] {
  // Less than a sample is left at the end. Some writers count the byte that aligns a chunk. Nothing else fails in a PCM decoder.
  if (codec.startsWith("pcm_")) return [...HARMLESS, /Invalid PCM packet/, REPEATED];
  // The heads of a chain's later streams. Damage shows in the sums of Ogg's pages.
  if (codec === "opus" && demuxer === "ogg")
    return [...HARMLESS, /Error parsing the packet header/, REPEATED];
  return HARMLESS;
}

interface Verdict {
  complained: boolean;
  /** Bytes between the frames of an MPEG stream were passed over. They may be tags. */
  passedOver: boolean;
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
  audio: AudioStream & Sniffed,
  signal: AbortSignal,
): Decoder {
  const said: Verdict = { complained: false, passedOver: false };
  const harmless = harmlessIn(audio);
  const rate = outputRate(audio.sampleRate);
  const input = inputFrom(ffmpeg, source, audio.demuxer);
  const decoder = startFfmpeg(
    ffmpeg,
    [
      ...["-loglevel", "error", ...input.args],
      ...["-map", "0:a:0", "-vn", "-sn", "-dn", "-map_metadata", "-1", "-t", String(MAX_SECONDS + 60)],
      ...toStereo(audio),
      ...["-ar", String(rate), "-ac", "2", "-c:a", "pcm_s16le"],
      ...[...IN_LARGE_PIECES, "-f", "s16le", "pipe:1"],
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
  input.feed(decoder);
  return {
    pcm: wholeFrames(decoder.stdout),
    async verdict(frames) {
      const exit = await decoder.exited;
      signal.throwIfAborted();
      expectOwnEnd(exit, "the decoder");
      if (frames === 0) throw new JobFailure("undecodable", complaintOf(decoder, source));
      return { ...said, complained: said.complained || exit.code !== 0 };
    },
  };
}

/** Yields blocks of whole frames, so that consumers can read samples. */
async function* wholeFrames(stdout: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stdout) {
    const block = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const whole = block.length - (block.length % BYTES_PER_FRAME);
    rest = block.subarray(whole);
    if (whole > 0) yield block.subarray(0, whole);
  }
}

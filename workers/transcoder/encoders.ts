import { startAac } from "./aac.ts";
import { readAdts } from "./adts.ts";
import type { Loudness } from "./contract.ts";
import { aacTo, expectSuccess, mp3To, packetsFrom, startEncoder } from "./encode.ts";
import type { Ffmpeg } from "./ffmpeg.ts";
import type { OutputRate } from "./fmp4.ts";
import { MP3_BITRATE } from "./info-frame.ts";
import { createLoudnessReader, LOUDNESS_METER } from "./loudness.ts";
import { readMp3 } from "./mp3-packets.ts";
import { type PcmSink, pipeSink } from "./pcm.ts";

/** Bits a second of the two AAC renditions. */
export const AAC_BITRATES = { high: 160_000, low: 96_000 } as const;

/** All encoders of a track. PCM written to every sink comes out as packets, in order, and as loudness. */
interface Encoders {
  sinks: PcmSink[];
  high: AsyncIterable<Buffer>;
  low: AsyncIterable<Buffer>;
  mp3: AsyncIterable<Buffer>;
  loudness: Promise<Loudness>;
}

interface Options {
  ffmpeg: Ffmpeg;
  rate: OutputRate;
  signal: AbortSignal;
}

/** Seconds of audio that encode sooner in one process than in four: each start of Debian's ffmpeg takes 0.06 s of CPU. */
const SHORT_SECONDS = 15;

/** Takes the declared length. A wrong one costs time, never a track. */
export const startEncoders = (options: Options, declaredSeconds: number): Encoders =>
  declaredSeconds > 0 && declaredSeconds <= SHORT_SECONDS ? inOneProcess(options) : inParallel(options);

function inOneProcess({ ffmpeg, rate, signal }: Options): Encoders {
  const name = "the encoder";
  const { onLine, loudness } = createLoudnessReader();
  const outputs = [
    aacTo("pipe:1", AAC_BITRATES.high),
    aacTo("pipe:3", AAC_BITRATES.low),
    mp3To("pipe:4", MP3_BITRATE),
    LOUDNESS_METER,
  ];
  const encoder = startEncoder(ffmpeg, rate, outputs, { signal, morePipes: 2, onLine });
  const [low, mp3] = encoder.morePipes;
  if (!low || !mp3) throw new Error("ffmpeg started without its pipes");
  return {
    sinks: [pipeSink(encoder.stdin, signal)],
    high: packetsFrom(encoder, name, readAdts(encoder.stdout)),
    low: packetsFrom(encoder, name, readAdts(low)),
    mp3: packetsFrom(encoder, name, readMp3(mp3, rate)),
    loudness: expectSuccess(encoder, name).then(loudness),
  };
}

function inParallel(options: Options): Encoders {
  const { ffmpeg, rate, signal } = options;
  const high = startAac({ ...options, bitrate: AAC_BITRATES.high });
  const low = startAac({ ...options, bitrate: AAC_BITRATES.low });
  const mp3 = startEncoder(ffmpeg, rate, [mp3To("pipe:1", MP3_BITRATE)], { signal });
  const { onLine, loudness } = createLoudnessReader();
  const meter = startEncoder(ffmpeg, rate, [LOUDNESS_METER], { signal, onLine });
  meter.stdout.resume();
  return {
    sinks: [high.sink, low.sink, pipeSink(mp3.stdin, signal), pipeSink(meter.stdin, signal)],
    high: high.packets,
    low: low.packets,
    mp3: packetsFrom(mp3, "the MP3 encoder", readMp3(mp3.stdout, rate)),
    loudness: expectSuccess(meter, "the loudness meter").then(loudness),
  };
}

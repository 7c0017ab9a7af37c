import { checkAnnounced } from "./announced-length.ts";
import type { Finished, Job, Warning } from "./contract.ts";
import { outputRate, startDecoder } from "./decode.ts";
import { editedSeconds } from "./edit-list.ts";
import { AAC_BITRATES, startEncoders } from "./encoders.ts";
import { endTagsAt, zerosAt } from "./end-tags.ts";
import type { Ffmpeg } from "./ffmpeg.ts";
import { refuseIfTooLong } from "./length.ts";
import { packMp3 } from "./mp3.ts";
import { isDamaged } from "./mpeg-damage.ts";
import { createOutputs, type Put } from "./outputs.ts";
import { MAX_SECONDS, pour } from "./pcm.ts";
import { type Probed, probe } from "./probe.ts";
import type { Progress } from "./progress.ts";
import { packSegments } from "./segments.ts";
import { type Sniffed, sniff } from "./sniff.ts";
import { openSource, type Source } from "./source.ts";
import { startChapters } from "./tagged-chapters.ts";
import { createPeakMeter, WAVEFORM_HEIGHT, WAVEFORM_WIDTH } from "./waveform.ts";
import { drawWaveform } from "./waveform-image.ts";

interface Life {
  ffmpeg: Ffmpeg;
  progress: Progress;
  /** Aborts with the reason why the job must stop. */
  signal: AbortSignal;
  /** Ends the job with this failure. Serves callbacks that nobody awaits. */
  fail(error: unknown): void;
  moved(): void;
}

/** Encodes all renditions of one source. One decoder feeds the encoders, the loudness meter and the peak meter. */
export async function transcode(job: Job, life: Life): Promise<Finished> {
  const { signal, progress } = life;
  const put = createOutputs(job, signal, life.moved);
  const file = { url: job.sourceUrl, sizeBytes: job.sourceBytes, ticket: job.ticket, signal };
  const source = await openSource(file, life);
  progress.read = source.progress;
  try {
    const sniffed = await sniff(source.readAt, source.sizeBytes);
    const shown = { from: sniffed.junkBytes, to: await audioEnd(source, sniffed) };
    const readShown = (offset: number, length: number) => source.readAt(shown.from + offset, length);
    const { is, corrections } = await checkAnnounced(readShown, shown.to - shown.from, sniffed.demuxer);
    // Debian's ffmpeg would ask for the file anew at each byte of the junk.
    source.show(shown, corrections);
    const audio = { ...sniffed, ...(await probe(life.ffmpeg, source, sniffed, signal)), fileIs: is };
    if (is === "unknown") audio.isGuess = true;
    const seconds =
      sniffed.demuxer === "mov" ? await editedSeconds(source.readAt, source.sizeBytes) : undefined;
    // Decoding takes minutes. Encoding a day of audio before refusing it would take hours.
    if (audio.declaredSeconds > MAX_SECONDS) await refuseIfTooLong(source, audio, life);
    const endChapters = startChapters(job, source, audio, life);
    const finished = await encode(source, { ...audio, seconds }, put, life);
    return { ...finished, chapters: await endChapters() };
  } finally {
    source.close();
  }
}

/** Formats in which ffmpeg takes tags at the end for damage. */
const TAGGED: Sniffed["demuxer"][] = ["flac", "w64"];

async function audioEnd({ readAt, sizeBytes }: Source, { demuxer }: Sniffed): Promise<number> {
  const end = TAGGED.includes(demuxer) ? await endTagsAt(readAt, sizeBytes) : sizeBytes;
  return demuxer === "flac" ? zerosAt(readAt, end) : end;
}

type Audio = Probed &
  Sniffed & {
    /** Length of the file, compared with its header. */
    fileIs: Awaited<ReturnType<typeof checkAnnounced>>["is"];
    /** The audio's length by its edit list. */
    seconds: number | undefined;
  };

async function encode(
  source: Source,
  audio: Audio,
  put: Put,
  life: Life,
): Promise<Omit<Finished, "chapters">> {
  const { ffmpeg, signal, progress } = life;
  const rate = outputRate(audio.sampleRate);
  progress.rate = rate;
  const totalFrames = () => progress.frames;

  const decoder = startDecoder(ffmpeg, source, audio, signal);
  const encoders = startEncoders({ ffmpeg, rate, signal }, audio.declaredSeconds);
  const high = pack("hls/160", AAC_BITRATES.high, encoders.high);
  const low = pack("hls/96", AAC_BITRATES.low, encoders.low);
  const peaks = createPeakMeter();
  progress.segmentsReady = () => Math.min(high.ready(), low.ready());

  const sinks = [...encoders.sinks, peaks];

  async function decode(): Promise<Warning[]> {
    await pour(decoder.pcm, sinks, progress, life.moved);
    // Runs before the encoders end, so that the remains of a lost source never become a track.
    const { complained, passedOver, clipped } = await decoder.verdict(progress.frames);
    for (const sink of sinks) sink.end();
    const frames = { from: audio.junkBytes, to: source.sizeBytes };
    const damaged = complained || (passedOver && (await isDamaged(source.readAt, frames)));
    return [...warningsFor(audio, progress, damaged), ...(clipped ? (["clipped"] as const) : [])];
  }

  const [warnings, loudness, aac_160, aac_96, mp3Sizes] = await Promise.all([
    decode(),
    encoders.loudness,
    high.rendition,
    low.rendition,
    packMp3({ packets: encoders.mp3, totalFrames, rate, put }),
  ]);
  await storeWaveform(peaks.columns(), put);

  return {
    family: familyOf(audio),
    codec: audio.codec,
    frames: progress.frames,
    sample_rate: rate,
    // Lengths count in milliseconds. Anything that plays lasts at least one.
    duration_ms: Math.max(1, Math.round((progress.frames * 1000) / rate)),
    channels_in: audio.channels,
    sample_rate_in: audio.sampleRate,
    loudness,
    renditions: { aac_160, aac_96, ...mp3Sizes },
    warnings,
  };

  function pack(folder: string, bitrate: number, packets: AsyncIterable<Buffer>) {
    return packSegments({ packets, totalFrames, folder, rate, bitrate, put });
  }
}

/** M4A holds AAC or ALAC, and 3GP, the same container, AMR. */
function familyOf({ codec, family }: Audio): string {
  if (codec === "alac") return codec;
  return codec.startsWith("amr") ? "amr" : family;
}

/** Seconds by which honest codecs and containers differ. */
const TOLERANCE_SECONDS = 0.25;

function warningsFor(audio: Audio, decoded: { frames: number; rate: number }, damaged: boolean): Warning[] {
  const missing = audio.isGuess ? 0 : audio.declaredSeconds - decoded.frames / decoded.rate;
  return [
    ...(damaged ? (["decode_errors"] as const) : []),
    ...(missing > TOLERANCE_SECONDS || audio.fileIs === "shorter"
      ? (["shorter_than_declared"] as const)
      : []),
    ...(audio.fileIs === "longer" ? (["longer_than_declared"] as const) : []),
  ];
}

async function storeWaveform(samples: number[], put: Put): Promise<void> {
  const document = { width: WAVEFORM_WIDTH, height: WAVEFORM_HEIGHT, samples };
  await Promise.all([
    put("waveform.json", "application/json", Buffer.from(JSON.stringify(document))),
    put("waveform.png", "image/png", await drawWaveform(samples)),
  ]);
}

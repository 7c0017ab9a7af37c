import * as z from "zod";
import { MOST_PICTURES } from "./chapter-pictures.ts";
import { MAX_FRAMES, MAX_SEGMENTS } from "./outputs.ts";

/** Reports of a transcoder. Unknown fields are dropped, so that older and newer images can report. */

const Count = z.int().min(0);
const SampleRate = z.literal([44_100, 48_000]);

export const Heartbeat = z.object({
  segments_ready: Count.max(MAX_SEGMENTS),
  sample_rate: SampleRate,
  progress: z.number().min(0).max(1),
});

/** Whether the transcoder takes another job from the reply. One that stops does not. */
const WantsNext = z.boolean().default(false);

const HlsRendition = z.object({
  bandwidth: z.int().positive(),
  average_bandwidth: z.int().positive(),
  codecs: z.string().max(50),
});

/** Chapters of the file. Any that are malformed cost the track nothing but them. */
const Chapters = z
  .array(
    z.object({
      start: z.int(),
      end: z.int(),
      title: z.string().optional(),
      picture: Count.max(MOST_PICTURES - 1).optional(),
    }),
  )
  .catch([])
  .default([]);

export const Finished = z.object({
  family: z.string().max(20),
  duration_ms: z.int().positive(),
  /** Samples per channel at `sample_rate`. */
  frames: z.int().positive().max(MAX_FRAMES),
  sample_rate: SampleRate,
  loudness: z.object({
    integrated_lufs: z.number().nullable(),
    range_lu: z.number().nullable(),
    true_peak_dbtp: z.number().nullable(),
  }),
  renditions: z.object({
    aac_160: HlsRendition,
    aac_96: HlsRendition,
    mp3_128: z.object({ bytes: z.int().positive(), part_bytes: z.int().positive() }),
    preview_mp3_128: z.object({ bytes: z.int().positive() }),
  }),
  warnings: z.array(z.string().max(200)).max(20).default([]),
  chapters: Chapters,
  next: WantsNext,
});

export const Failed = z.object({
  reason: z.string().regex(/^[a-z_]{1,40}$/),
  retryable: z.boolean(),
  detail: z.string().default(""),
  next: WantsNext,
});

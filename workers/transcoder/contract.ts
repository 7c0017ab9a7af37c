import type { FailureReason } from "./failures.ts";

/** The Worker's request. The ticket is valid for `sourceUrl`, `outputsUrl` and `reportUrl` only. */
export interface Job {
  id: string;
  attempt: number;
  sourceUrl: string;
  sourceBytes: number;
  outputsUrl: string;
  reportUrl: string;
  ticket: string;
  /** The trace that the upload belongs to: W3C Trace Context. */
  traceparent?: string | undefined;
}

export interface Heartbeat {
  /** Whole consecutive segments, from the first, stored in both renditions. */
  segments_ready: number;
  /** Hz of the renditions. Known once a segment is ready. */
  sample_rate: number;
  frames: number;
  /** 0 to below 1, by bytes of the source read. Declared durations may lie. */
  progress: number;
}

export interface Loudness {
  /** EBU R128. `null` if the track is silent or too short to gate. */
  integrated_lufs: number | null;
  range_lu: number | null;
  true_peak_dbtp: number | null;
}

export interface AacRendition {
  segments: number;
  /** Bits per second: of the largest segment, and on average. */
  bandwidth: number;
  average_bandwidth: number;
  codecs: string;
}

export type Warning = "decode_errors" | "shorter_than_declared" | "longer_than_declared" | "clipped";

/** A chapter of the source, in milliseconds. */
export interface FileChapter {
  start: number;
  end: number;
  title?: string;
  /** Number of its picture, an output `chapters/{number}` that the gateway took. */
  picture?: number;
}

export interface Finished {
  family: string;
  codec: string;
  frames: number;
  sample_rate: number;
  duration_ms: number;
  channels_in: number;
  sample_rate_in: number;
  loudness: Loudness;
  renditions: {
    aac_160: AacRendition;
    aac_96: AacRendition;
    mp3_128: { bytes: number; part_bytes: number; parts: number };
    preview_mp3_128: { bytes: number };
  };
  warnings: Warning[];
  chapters: FileChapter[];
}

export interface Failed {
  reason: FailureReason;
  retryable: boolean;
  detail: string;
}

const isWebUrl = (value: unknown): value is string =>
  typeof value === "string" && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Visible ASCII only, so that a ticket cannot break out of its header. */
const isTicket = (value: unknown): value is string =>
  typeof value === "string" && /^[\x21-\x7e]{1,4096}$/.test(value);

/** Not worth refusing a job for. */
const readTraceparent = (value: unknown): string | undefined =>
  typeof value === "string" && /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(value) ? value : undefined;

const isId = (value: unknown): value is string => typeof value === "string" && /^[\w.:-]{1,128}$/.test(value);

const CHECKS = {
  job: isId,
  attempt: isCount,
  source_url: isWebUrl,
  source_bytes: isCount,
  outputs_url: isWebUrl,
  report_url: isWebUrl,
  ticket: isTicket,
};

type Checked = {
  [Field in keyof typeof CHECKS]: (typeof CHECKS)[Field] extends (value: unknown) => value is infer Value
    ? Value
    : never;
};

/** Returns the job, or the names of the invalid fields. */
export function parseJob(body: unknown): Job | { wrong: string[] } {
  const fields = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const wrong = Object.entries(CHECKS).flatMap(([field, isRight]) => (isRight(fields[field]) ? [] : [field]));
  if (wrong.length > 0) return { wrong };
  const { job, attempt, source_url, source_bytes, outputs_url, report_url, ticket } = fields as Checked;
  return {
    id: job,
    attempt,
    sourceUrl: source_url,
    sourceBytes: source_bytes,
    outputsUrl: outputs_url,
    reportUrl: report_url,
    ticket,
    traceparent: readTraceparent(fields.traceparent),
  };
}

import type { Cue } from "../../../db/schema/podcasts.ts";
import { escaped } from "../../lib/text/plain-text.ts";

/** Writes transcripts in the formats that podcast programs read. */

export const TRANSCRIPT_TYPES = {
  vtt: "text/vtt",
  srt: "application/x-subrip",
  json: "application/json",
} as const;

export type TranscriptFormat = keyof typeof TRANSCRIPT_TYPES;

export const TRANSCRIPT_FORMATS = ["vtt", "srt", "json"] as const satisfies TranscriptFormat[];

export function transcriptFile(format: TranscriptFormat, cues: Cue[]): string {
  if (format === "json") return JSON.stringify({ version: "1.0.0", segments: cues.map(segmentOf) });
  return format === "vtt" ? vtt(cues) : srt(cues);
}

/** A part of a transcript as https://podcasting2.org/docs/podcast-namespace/tags/transcript has it, in seconds. */
export const segmentOf = ({ start, end, text, speaker }: Cue) => ({
  ...(speaker !== undefined && { speaker }),
  startTime: start / 1_000,
  endTime: end / 1_000,
  body: text,
});

const vtt = (cues: Cue[]): string =>
  `WEBVTT\n\n${cues
    .map(({ start, end, text, speaker }) => {
      const voice = speaker === undefined ? "" : `<v ${escaped(speaker)}>`;
      return `${time(start, ".")} --> ${time(end, ".")}\n${voice}${escaped(text)}\n`;
    })
    .join("\n")}`;

/** Has no escapes, so an arrow within the words would begin another part. */
const srt = (cues: Cue[]): string =>
  cues
    .map(({ start, end, text, speaker }, at) => {
      const words = (speaker === undefined ? text : `${speaker}: ${text}`).replaceAll("-->", "→");
      return `${at + 1}\n${time(start, ",")} --> ${time(end, ",")}\n${words}\n`;
    })
    .join("\n");

function time(ms: number, point: string): string {
  const two = (n: number) => String(Math.floor(n)).padStart(2, "0");
  const clock = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1_000) % 60].map(two).join(":");
  return `${clock}${point}${String(ms % 1_000).padStart(3, "0")}`;
}

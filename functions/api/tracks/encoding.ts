import * as z from "zod";
import type { EncodingRow } from "../../../db/queries/track-rows.ts";
import { timestamp } from "../../lib/http/links.ts";
import { about } from "../../lib/text/fields.ts";
import { reasonSentence, warningSentence } from "./failures.ts";

const Text = z.string().nullable();
const Count = z.int().min(0);

const Explained = z.strictObject({
  code: z.string().meta(about("Stable name of the cause.", "decode_errors")),
  message: z
    .string()
    .meta(about("The cause in words.", "Parts of the file are damaged. What could be decoded is published.")),
});

export const Failure = Explained.extend({
  code: z.string().meta(about("Stable name of the cause.", "no_audio_stream")),
  message: z.string().meta(about("The cause in words.", "The file holds no audio.")),
});

export const Encoding = z
  .strictObject({
    progress: z.number().min(0).max(1).meta(about("1 if the track is finished.", 1)),
    segments_ready: Count.meta(about("HLS segments that can be played.", 36)),
    reason: Failure.nullable().meta(about("Why the last attempt failed; null if it did not.", null)),
    warnings: z
      .array(Explained)
      .describe(
        "Flaws in the file of a playable track: `decode_errors`, `shorter_than_declared`, `longer_than_declared`, `clipped`.",
      ),
    attempts: Count.meta(about("Encodes that were begun.", 1)),
    started_at: Text.meta(about("UTC; null until then.", "2026/11/23 12:00:02 +0000")),
    finished_at: Text.meta(about("UTC; null until then.", "2026/11/23 12:00:09 +0000")),
  })
  .meta({ id: "Encoding" });

export type Encoding = z.infer<typeof Encoding>;

export function representEncoding(encoding: EncodingRow): Encoding {
  return {
    progress: encoding.progress,
    segments_ready: encoding.segments_ready,
    reason: encoding.failure_reason
      ? { code: encoding.failure_reason, message: reasonSentence(encoding.failure_reason) }
      : null,
    warnings: encoding.warnings.map((code) => ({ code, message: warningSentence(code) })),
    attempts: encoding.attempt,
    started_at: encoding.started_at && timestamp(encoding.started_at),
    finished_at: encoding.finished_at && timestamp(encoding.finished_at),
  };
}

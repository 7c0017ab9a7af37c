import * as z from "zod";
import type { Cue } from "../../../db/schema/podcasts.ts";
import { file } from "../../lib/http/body/form-fields.ts";
import type { SentFile } from "../../lib/http/body/multipart-body.ts";
import { about } from "../../lib/text/fields.ts";
import { Language } from "./fields.ts";
import { cuesIn, TranscriptFault } from "./transcript-text.ts";

/** Bytes of a transcript. An hour of talk takes a tenth. */
export const MAX_TRANSCRIPT_BYTES = 1_000_000;

/** A transcript as the owner gave it. */
export interface GivenTranscript {
  language: string | null;
  cues: Cue[];
}

/** Returns the cues, or adds the fault to the field. */
function readCues(text: string, ctx: z.RefinementCtx): Cue[] {
  try {
    return cuesIn(text);
  } catch (error) {
    if (!(error instanceof TranscriptFault)) throw error;
    ctx.addIssue({ code: "custom", message: error.message, input: text });
    return z.NEVER;
  }
}

/** A file of UTF-8, with or without a byte order mark. */
const TranscriptFile = file(MAX_TRANSCRIPT_BYTES).transform(({ bytes }: SentFile, ctx) => {
  const isLarge = bytes.byteLength > MAX_TRANSCRIPT_BYTES;
  const text = isLarge ? undefined : utf8In(bytes);
  if (text !== undefined) return readCues(text, ctx);
  const message = isLarge ? `may have ${MAX_TRANSCRIPT_BYTES / 1_000} kB at most` : "is not UTF-8";
  ctx.addIssue({ code: "custom", message, input: bytes });
  return z.NEVER;
});

/** `undefined` if the bytes are no UTF-8. Drops a byte order mark. */
export function utf8In(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined;
  }
}

const TranscriptLanguage = z
  .union([z.literal("").transform(() => null), Language], "is no language code, such as `en` or `pt-BR`")
  .nullish()
  .transform((language) => language ?? null)
  .meta(about("BCP 47. Null means the language of the podcast.", "en"));

const CONTENT = about(
  "The text of a WebVTT or SubRip file. Speakers are named by `<v Ana>`, or by `Ana: ` before the words of SubRip.",
  "WEBVTT\n\n00:00.000 --> 00:04.000\n<v Ana>Hello.",
);

export const TranscriptBody = z
  .object({
    transcript: z
      .object({
        content: z
          .string()
          .max(MAX_TRANSCRIPT_BYTES, `may have ${MAX_TRANSCRIPT_BYTES} characters at most`)
          .transform(readCues)
          .meta(CONTENT),
        language: TranscriptLanguage,
      })
      .transform(({ content, language }): GivenTranscript => ({ cues: content, language }))
      .describe("What is said in the track."),
  })
  .meta({ id: "NewTranscript" });

export const TranscriptForm = z.object({
  transcript: z
    .object({
      file: TranscriptFile.meta({ description: "A WebVTT or SubRip file." }),
      language: TranscriptLanguage,
    })
    .transform(({ file: cues, language }): GivenTranscript => ({ cues, language })),
});

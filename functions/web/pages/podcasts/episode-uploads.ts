import type { Context } from "hono";
import * as z from "zod";
import { writeChapters } from "../../../../db/queries/chapters.ts";
import { trackOfName, type Written, writeTranscript } from "../../../../db/queries/transcripts.ts";
import type { Chapter } from "../../../../db/schema/podcasts.ts";
import { MAX_IMAGE_BYTES } from "../../../api/images/limits.ts";
import { ChaptersBody } from "../../../api/podcasts/chapter-input.ts";
import { chaptersToStore } from "../../../api/podcasts/chapters.ts";
import {
  type GivenTranscript,
  MAX_TRANSCRIPT_BYTES,
  TranscriptForm,
  utf8In,
} from "../../../api/podcasts/transcript-input.ts";
import type { SentFile } from "../../../lib/http/body/multipart-body.ts";
import { MAX_JSON_BYTES } from "../../../lib/http/body/read.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { readOwnParts } from "../../../ui/form-guard.ts";
import { ApiRefusal, asReader, orRefusal, writeApi } from "../../../ui/own-api.ts";
import { seeOther } from "../../../ui/page.tsx";
import { nameIn, showEpisode, subjectOf } from "./episode-page.tsx";

/** The forms for an episode's transcript, chapters and their pictures, which hold files. */

const MISSING = "is missing";

/** Bytes. A chapters file is as long as any JSON. */
const MAX_BYTES = Math.max(MAX_TRANSCRIPT_BYTES, MAX_JSON_BYTES, MAX_IMAGE_BYTES);

export async function takeTexts(c: Context<AppEnv>): Promise<Response> {
  const { fields, file } = await readOwnParts(c, subjectOf(c), { field: "file", maxBytes: MAX_BYTES });
  if (fields.part === "picture") return takePicture(c, fields, file);
  return fields.part === "chapters" ? takeChapters(c, fields, file) : takeTranscript(c, fields, file);
}

type Fields = Record<string, string>;

async function takeTranscript(c: Context<AppEnv>, fields: Fields, file: SentFile | undefined) {
  if (fields.remove === "yes") return saveTranscript(c, null);
  const read = TranscriptForm.safeParse({ transcript: { file, language: fields.language } });
  if (read.success) return saveTranscript(c, read.data.transcript);
  const problems = Object.fromEntries(
    read.error.issues.map(({ path, message }) => [String(path[1]), file ? message : MISSING]),
  );
  return showEpisode(c, { transcript: { values: { language: fields.language }, problems } });
}

async function takeChapters(c: Context<AppEnv>, fields: Fields, file: SentFile | undefined) {
  if (fields.remove === "yes") return saveChapters(c, null);
  const read = ChaptersFile.safeParse(file);
  if (read.success) return saveChapters(c, read.data.chapters);
  const [issue] = read.error.issues;
  const at = issue?.path.map((step) => `[${String(step)}]`).join("") ?? "";
  const problem = file ? `${at && `at ${at}: `}${issue?.message}` : MISSING;
  return showEpisode(c, { chapters: { values: {}, problems: { file: problem } } });
}

/** Through the API, which renders pictures. Without a file, the chapter's picture is removed. */
async function takePicture(c: Context<AppEnv>, { track, start }: Fields, file: SentFile | undefined) {
  const path = `/tracks/${track}/chapters/${start}/picture`;
  const body = file ? pictureForm(file) : { chapter: { picture_data: null } };
  const saved = await orRefusal(writeApi(c, "PUT", path, body), 413, 422);
  if (!(saved instanceof ApiRefusal)) return seeOther(c, `${c.req.path}?saved`);
  const { picture_data: problem, ...others } = saved.problems;
  return showEpisode(c, { picture: { values: { start }, problems: problem ? { file: problem } : others } });
}

function pictureForm({ bytes, filename, type }: SentFile): FormData {
  const form = new FormData();
  form.set("chapter[picture_data]", new File([new Uint8Array(bytes)], filename, { type }));
  return form;
}

/** A file of JSON. */
const ChaptersFile = z
  .custom<SentFile>((file) => file !== undefined, MISSING)
  .transform(({ bytes }, ctx): unknown => {
    const isLarge = bytes.byteLength > MAX_JSON_BYTES;
    try {
      if (!isLarge) return JSON.parse(utf8In(bytes) ?? "");
    } catch {
      // The message is added below.
    }
    ctx.addIssue({ code: "custom", message: isLarge ? "is too large" : "is no JSON", input: bytes });
    return z.NEVER;
  })
  .pipe(ChaptersBody);

const saveTranscript = async (c: Context<AppEnv>, given: GivenTranscript | null) =>
  saved(c, await asReader(c, (reader) => writeTranscript(c.var.db, reader, trackOfName(nameIn(c)), given)));

const saveChapters = async (c: Context<AppEnv>, given: Chapter[] | null) =>
  saved(
    c,
    await asReader(c, (reader) =>
      writeChapters(c.var.db, reader, trackOfName(nameIn(c)), given && chaptersToStore(c.env, given)),
    ),
  );

/** Does not reveal that another user's track exists. */
const saved = (c: Context<AppEnv>, written: Written): Response =>
  written === "done" ? seeOther(c, `${c.req.path}?saved`) : notFound("Track");

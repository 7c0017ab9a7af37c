import type { Context } from "hono";
import * as z from "zod";
import { findChapters, writeChapters } from "../../../db/queries/chapters.ts";
import { findTranscript, trackOfId, type Written, writeTranscript } from "../../../db/queries/transcripts.ts";
import type { TokenEnv } from "../../lib/http/env.ts";
import { Routes } from "../../lib/http/route.ts";
import { StatusBody, statusBody } from "../../lib/http/status.ts";
import { REFUSALS } from "../tracks/errors.ts";
import { refuseAppOnPrivate } from "../tracks/find.ts";
import { SecretToken, TrackId } from "../tracks/input.ts";
import { presentedBy } from "../tracks/secret.ts";
import { ChapterPictureBody, ChapterPictureForm, ChapterStart, ChaptersBody } from "./chapter-input.ts";
import { changeChapterPicture } from "./chapter-picture.ts";
import { chaptersToStore } from "./chapters.ts";
import {
  ChaptersFile,
  openedCues,
  representChapters,
  representTranscript,
  Transcript,
} from "./representation-files.ts";
import { TRANSCRIPT_TYPES, transcriptFile } from "./transcript-files.ts";
import { TranscriptBody, TranscriptForm } from "./transcript-input.ts";

/** Transcripts and chapters of tracks. */
export const episodeTexts = new Routes();

const OTHERS_TRACK = { 403: "The track is another user's." };
const UNHEARD = { 403: "You may not play the whole track." };

async function textOf<Found extends { private: boolean }>(
  c: Context<TokenEnv>,
  find: (...asked: Parameters<typeof findTranscript>) => Promise<Found | undefined>,
  id: number,
  secretToken: string | undefined,
): Promise<Found | undefined> {
  const found = await find(c.var.db, c.var.viewer, trackOfId(id), presentedBy(c.req, secretToken));
  refuseAppOnPrivate(c, found?.private ?? false);
  return found;
}

function refuseUnless(written: Written): void {
  if (written !== "done") REFUSALS[written]();
}

episodeTexts.get(
  "/tracks/:id/transcript",
  {
    operationId: "getTranscript",
    summary: "Get a track's transcript",
    description:
      "For whoever may play the whole track. 404 if it has none. The site serves the same as files, which feeds name: `transcript.vtt`, `transcript.srt` and `transcript.json` below the track's page.",
    auth: "token",
    params: TrackId,
    query: SecretToken,
    replies: { 200: Transcript },
    errors: UNHEARD,
  },
  async (c, { params: { id }, query }) =>
    c.json(representTranscript(await textOf(c, findTranscript, id, query.secret_token))),
);

episodeTexts.get(
  "/tracks/:id/transcript/:format",
  {
    operationId: "getTranscriptFile",
    summary: "Get a track's transcript as WebVTT or SubRip",
    description: "For whoever may play the whole track. 404 if it has none.",
    auth: "token",
    params: TrackId.extend({
      format: z.enum(["vtt", "srt"]).describe("`vtt` for WebVTT, `srt` for SubRip."),
    }),
    query: SecretToken,
    media: true,
    replies: { 200: "text/vtt, application/x-subrip" },
    errors: UNHEARD,
  },
  async (c, { params: { id, format }, query }) => {
    const cues = openedCues(await textOf(c, findTranscript, id, query.secret_token));
    return c.body(transcriptFile(format, cues), 200, {
      "Content-Type": `${TRANSCRIPT_TYPES[format]}; charset=utf-8`,
      "Cache-Control": "private, no-cache",
    });
  },
);

episodeTexts.put(
  "/tracks/:id/transcript",
  {
    operationId: "changeTranscript",
    summary: "Set a track's transcript",
    description:
      "A WebVTT or SubRip file of at most 1 MB, as text in JSON or as a file in a form. It replaces the present one. Markup is dropped. A fault names its line.",
    auth: "user",
    scope: "tracks",
    params: TrackId,
    body: TranscriptBody,
    form: TranscriptForm,
    accepts: ["json", "multipart"],
    replies: { 200: Transcript },
    errors: OTHERS_TRACK,
  },
  async (c, { params: { id }, body: { transcript } }) => {
    refuseUnless(await writeTranscript(c.var.db, c.var.viewer, trackOfId(id), transcript));
    return c.json(representTranscript({ ...transcript, access: "playable", is_own: true, private: false }));
  },
);

episodeTexts.delete(
  "/tracks/:id/transcript",
  {
    operationId: "deleteTranscript",
    summary: "Remove a track's transcript",
    description: "A track without one is no error. Feeds name the `transcript_url` again, if there is one.",
    auth: "user",
    scope: "tracks",
    params: TrackId,
    replies: { 200: StatusBody },
    errors: OTHERS_TRACK,
  },
  async (c, { params: { id } }) => {
    refuseUnless(await writeTranscript(c.var.db, c.var.viewer, trackOfId(id), null));
    return c.json(statusBody(200));
  },
);

episodeTexts.get(
  "/tracks/:id/chapters",
  {
    operationId: "getChapters",
    summary: "Get a track's chapters",
    description:
      "For whoever may play the whole track, in the format of Podcasting 2.0. Without chapters of its own, a track has those of its description: lines that begin with a time, such as `0:00 Hello` and `12:30 The guest`. Without any there, it has those of its audio file.",
    auth: "token",
    params: TrackId,
    query: SecretToken,
    replies: { 200: ChaptersFile },
    errors: UNHEARD,
  },
  async (c, { params: { id }, query }) =>
    c.json(representChapters(c.env, await textOf(c, findChapters, id, query.secret_token))),
);

episodeTexts.put(
  "/tracks/:id/chapters",
  {
    operationId: "changeChapters",
    summary: "Set a track's chapters",
    description:
      "Takes a chapters file of Podcasting 2.0. They replace the present ones, and go before those of the description. Those that begin after the track's end are not shown. A chapter that is sent with the `img` of a picture here keeps it.",
    auth: "user",
    scope: "tracks",
    params: TrackId,
    body: ChaptersBody,
    replies: { 200: ChaptersFile },
    errors: OTHERS_TRACK,
  },
  async (c, { params: { id }, body: { chapters } }) => {
    const given = chaptersToStore(c.env, chapters);
    refuseUnless(await writeChapters(c.var.db, c.var.viewer, trackOfId(id), given));
    const stored = { chapters: given, source: "uploaded" as const };
    const sent = { stored, description: null, duration_ms: Number.MAX_SAFE_INTEGER };
    return c.json(representChapters(c.env, { ...sent, access: "playable", is_own: true, private: false }));
  },
);

episodeTexts.put(
  "/tracks/:id/chapters/:start/picture",
  {
    operationId: "changeChapterPicture",
    summary: "Set the picture of a chapter",
    description:
      "The picture is kept here, so the site shows it, too. It takes the place of the chapter's `img`, and ends with it. `null`, in JSON, removes it. Chapters of a description have none: send them as chapters before.",
    auth: "user",
    scope: "tracks",
    params: ChapterStart,
    body: ChapterPictureBody,
    form: ChapterPictureForm,
    accepts: ["json", "multipart"],
    replies: { 200: ChaptersFile },
    errors: OTHERS_TRACK,
  },
  async (c, { params: { id, start }, body: { chapter } }) =>
    c.json(representChapters(c.env, await changeChapterPicture(c, trackOfId(id), start, chapter))),
);

episodeTexts.delete(
  "/tracks/:id/chapters",
  {
    operationId: "deleteChapters",
    summary: "Remove a track's chapters",
    description:
      "Also those that its audio file brought along. Those of its description are read again. A track without any is no error.",
    auth: "user",
    scope: "tracks",
    params: TrackId,
    replies: { 200: StatusBody },
    errors: OTHERS_TRACK,
  },
  async (c, { params: { id } }) => {
    refuseUnless(await writeChapters(c.var.db, c.var.viewer, trackOfId(id), null));
    return c.json(statusBody(200));
  },
);

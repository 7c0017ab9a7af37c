import * as z from "zod";
import type { FoundChapters } from "../../../db/queries/chapters.ts";
import type { FoundTranscript } from "../../../db/queries/transcripts.ts";
import { forbidden, notFound } from "../../lib/http/errors.ts";
import type { Links } from "../../lib/http/links.ts";
import { about } from "../../lib/text/fields.ts";
import { CHAPTERS_VERSION, chapterInFile, chaptersOf } from "./chapters.ts";
import { segmentOf } from "./transcript-files.ts";

const Segment = z
  .strictObject({
    speaker: z.string().optional().meta(about("The speaker, where the transcript names one.", "Ana")),
    startTime: z.number().meta(about("Seconds from the beginning.", 12.5)),
    endTime: z.number().meta(about("Seconds from the beginning.", 15)),
    body: z.string().meta(about("Plain text.", "Hello, and welcome.")),
  })
  .meta({ id: "TranscriptSegment" });

export const Transcript = z
  .strictObject({
    version: z.string().meta(about("Version of the Podcasting 2.0 format.", "1.0.0")),
    language: z.string().nullable().meta(about("BCP 47. Null means the language of the podcast.", "en")),
    segments: z.array(Segment).describe("In order of time."),
  })
  .meta({ id: "Transcript" });

const FileChapter = z
  .strictObject({
    startTime: z.number().meta(about("Seconds from the beginning.", 750)),
    endTime: z
      .number()
      .optional()
      .meta(about("Seconds. Without it, the chapter ends where the next one begins.", 900)),
    title: z.string().optional().meta(about("A single line.", "The guest")),
    url: z.string().optional().meta(about("A page about the chapter.", "https://soundpost.example/guest")),
    img: z
      .string()
      .optional()
      .meta(about("A picture, here or elsewhere.", "https://soundpost.example/guest.jpg")),
    toc: z.boolean().optional().meta(about("False: it only changes the picture.", false)),
  })
  .meta({ id: "FileChapter" });

export const ChaptersFile = z
  .strictObject({
    version: z.string().meta(about("Version of the Podcasting 2.0 format.", CHAPTERS_VERSION)),
    source: z
      .enum(["uploaded", "description", "file"])
      .meta(
        about(
          "`description`: read from lines that begin with times. `file`: brought along by the audio file.",
          "uploaded",
        ),
      ),
    chapters: z.array(FileChapter).describe("In order of time. Empty if the track has none."),
  })
  .meta({ id: "Chapters" });

/** Throws 403 for a reader who may not play the whole track. The owner always may. */
function openedBy<Found extends Pick<FoundTranscript, "access" | "is_own">>(found: Found | undefined): Found {
  if (!found) return notFound("Track");
  if (!found.is_own && found.access !== "playable")
    forbidden("The track is not available to you as a whole", "blocked-track");
  return found;
}

export const representTranscript = (found: FoundTranscript | undefined): z.infer<typeof Transcript> => {
  const { language, cues } = openedBy(found);
  return { version: "1.0.0", language, segments: (cues ?? notFound("Transcript")).map(segmentOf) };
};

/** The cues of a track that the caller may hear. */
export const openedCues = (found: FoundTranscript | undefined) =>
  openedBy(found).cues ?? notFound("Transcript");

export const openedChapters = (found: FoundChapters | undefined) => {
  const { stored, description, duration_ms } = openedBy(found);
  return chaptersOf({ stored, description, durationMs: duration_ms ?? 0 });
};

export const representChapters = (
  links: Links,
  found: FoundChapters | undefined,
): z.infer<typeof ChaptersFile> => {
  const { source, chapters } = openedChapters(found);
  return {
    version: CHAPTERS_VERSION,
    source,
    chapters: chapters.map((chapter) => chapterInFile(links, chapter)),
  };
};

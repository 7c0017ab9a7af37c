import * as z from "zod";
import type { Chapter } from "../../../db/schema/podcasts.ts";
import { about, flag, label } from "../../lib/text/fields.ts";
import { clearableImage } from "../images/input.ts";
import { TrackId } from "../tracks/input.ts";
import { ForeignUrl } from "./fields.ts";

/** Most chapters of a track. */
export const MAX_CHAPTERS = 500;

/** Characters. */
export const MAX_TITLE = 300;

/** Seconds, as long as a track may be. */
const MAX_SECONDS = 24 * 3_600;

const SECONDS = `must be seconds from 0 to ${MAX_SECONDS}`;
const Seconds = z.number(SECONDS).min(0, SECONDS).max(MAX_SECONDS, SECONDS);

/** An optional field. Null and an empty text count as absent. */
const perhaps = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([z.literal("").transform(() => undefined), schema, z.null().transform(() => undefined)]).optional();

const Title = perhaps(label(MAX_TITLE).refine((title) => !/[\r\n\t]/.test(title), "must be a single line"));

const inMs = (seconds: number) => Math.round(seconds * 1_000);

const GivenChapter = z
  .object({
    startTime: Seconds.meta(about("Seconds from the beginning.", 750)),
    endTime: Seconds.nullish().meta(about("Seconds. Left out: the beginning of the next chapter.", 900)),
    title: Title.meta(about("A single line.", "The guest")),
    url: perhaps(ForeignUrl).meta(about("A page about the chapter.", "https://soundpost.example/guest")),
    img: perhaps(ForeignUrl).meta(
      about(
        "A picture. The site shows those that are kept here; podcast programs show all. `PUT /tracks/{id}/chapters/{start}/picture` stores one.",
        "https://soundpost.example/images/0123456789abcdef0123456789abcdef-large.jpg",
      ),
    ),
    toc: flag
      .nullish()
      .meta(about("False: it only changes the picture, and is left out of tables of contents.", true)),
  })
  .transform(
    ({ startTime, endTime, title, url, img, toc }): Chapter => ({
      start: inMs(startTime),
      ...(endTime !== undefined && endTime !== null && { end: inMs(endTime) }),
      ...(title && { title }),
      ...(url && { url }),
      ...(img && { img }),
      ...(toc === false && { toc }),
    }),
  );

/** The file of Podcasting 2.0: https://podcasting2.org/docs/podcast-namespace/tags/chapters */
export const ChaptersBody = z
  .object({
    chapters: z
      .array(GivenChapter)
      .min(1, "must hold a chapter; DELETE removes them")
      .max(MAX_CHAPTERS, `may hold ${MAX_CHAPTERS} chapters at most`)
      .superRefine((chapters, ctx) => {
        for (const [at, { start, end }] of chapters.entries()) {
          const path = (field: string) => [at, field];
          if (at > 0 && start <= (chapters[at - 1]?.start ?? 0))
            ctx.addIssue({
              code: "custom",
              path: path("startTime"),
              message: "must be later than the one before",
            });
          if (end !== undefined && end <= start)
            ctx.addIssue({
              code: "custom",
              path: path("endTime"),
              message: "must be later than the beginning",
            });
        }
      })
      .describe("In order of time."),
  })
  .meta({ id: "NewChapters" });

/** A track, and its chapter that begins at that time. */
export const ChapterStart = TrackId.extend({
  start: z.coerce
    .number()
    .int()
    .min(0)
    .max(inMs(MAX_SECONDS))
    .meta(about("The beginning of the chapter, in milliseconds.", 0)),
});

const pictureBody = <Picture extends z.ZodType>(picture_data: Picture) =>
  z.object({ chapter: z.object({ picture_data }).describe("The chapter.") });

export const ChapterPictureForm = pictureBody(clearableImage);

/** JSON holds no files, so it can only remove the picture. */
export const ChapterPictureBody: z.ZodType<z.output<typeof ChapterPictureForm>> = pictureBody(
  z
    .null("must be a file, sent as multipart/form-data with a file name")
    .meta(about("Removes the picture.", null)),
).meta({ id: "ChapterPicture" });

import * as z from "zod";
import { flag, integerText, label } from "../../lib/text/fields.ts";
import {
  Category,
  ForeignUrl,
  Guid,
  Language,
  MAX_NAME,
  MAX_NUMBER,
  OwnerEmail,
  PodcastType,
} from "./fields.ts";

/** Null, or an empty value of a form, clears the field. */
const clearable = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([z.literal("").transform(() => null), schema], "must be text").nullish();

const Line = label(MAX_NAME)
  .refine((value) => !/[\t\r\n]/.test(value), "must be a single line")
  .transform((value) => value || null)
  .nullish();

const COUNT = `must be a whole number from 1 to ${MAX_NUMBER}`;

/** A number as in JSON, or as text in forms. */
const Count = z.union(
  [
    z.literal("").transform(() => null),
    z.int(COUNT).min(1, COUNT).max(MAX_NUMBER, COUNT),
    integerText(1, MAX_NUMBER),
    z.null(),
  ],
  COUNT,
);

export const PodcastChangesBody = z
  .object({
    podcast: z.object({
      author: Line.describe("Null means your username."),
      owner_name: Line,
      owner_email: clearable(OwnerEmail).describe(
        "Directories send a code there to make sure that the podcast is yours. Everybody can read it in the feed.",
      ),
      category: Category.optional().describe("One of Apple's. A set's first podcast fields must name it."),
      language: Language.optional().describe("BCP 47. `en` unless you name another."),
      explicit: flag.optional().describe("Strong language or adult content, in any episode."),
      podcast_type: PodcastType.optional().describe(
        "`episodic`: newest first. `serial`: oldest first, because the episodes tell one story.",
      ),
      locked: flag
        .optional()
        .describe("Asks other hosts not to import the podcast. `true` unless you say otherwise."),
      new_feed_url: clearable(ForeignUrl).describe(
        "The feed's address at another host. Podcast programs are redirected there until you clear it.",
      ),
      guid: clearable(Guid).describe(
        "The `podcast:guid` of a podcast that moves here, so that directories know it. Null means the one that the feed was given here.",
      ),
    }),
  })
  .meta({ id: "PodcastChanges" });

export const EpisodeChangesBody = z
  .object({
    episode: z.object({
      explicit: z
        .union([z.literal("").transform(() => null), flag, z.null()], "must be true, false or null")
        .optional()
        .describe("Null means as the podcast."),
      season: Count.optional(),
      number: Count.optional(),
      transcript_url: clearable(ForeignUrl).describe("A file: VTT, SRT, JSON, text or HTML."),
    }),
  })
  .meta({ id: "EpisodeChanges" });

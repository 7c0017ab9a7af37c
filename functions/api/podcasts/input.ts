import * as z from "zod";
import { about, flag, integerText, label } from "../../lib/text/fields.ts";
import {
  Category,
  EpisodeType,
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
    podcast: z
      .object({
        author: Line.meta(about("Null means your username.", "Ana Torres")),
        owner_name: Line.meta(about("Null if the owner gave none.", "Ana Torres")),
        owner_email: clearable(OwnerEmail).meta(
          about(
            "Directories send a code there to make sure that the podcast is yours. Everybody can read it in the feed.",
            "ana@soundpost.example",
          ),
        ),
        category: Category.optional().describe("One of Apple's. A set's first podcast fields must name it."),
        language: Language.optional().describe("BCP 47. `en` unless you name another."),
        explicit: flag.optional().meta(about("Strong language or adult content, in any episode.", false)),
        podcast_type: PodcastType.optional().describe(
          "`episodic`: newest first. `serial`: oldest first, because the episodes tell one story.",
        ),
        locked: flag
          .optional()
          .meta(about("Asks other hosts not to import the podcast. `true` unless you say otherwise.", true)),
        new_feed_url: clearable(ForeignUrl).meta(
          about(
            "The feed's address at another host. Podcast programs are redirected there until you clear it.",
            null,
          ),
        ),
        guid: clearable(Guid).meta(
          about(
            "The `podcast:guid` of a podcast that moves here, so that directories know it. Null changes nothing: a feed keeps its GUID.",
            "917393e3-1b1e-5cef-ace4-edaa54e1f810",
          ),
        ),
      })
      .describe("Fields that directories ask for."),
  })
  .meta({ id: "PodcastChanges" });

export const EpisodeChangesBody = z
  .object({
    episode: z
      .object({
        explicit: z
          .union([z.literal("").transform(() => null), flag, z.null()], "must be true, false or null")
          .optional()
          .meta(about("Null means as the podcast.", false)),
        season: Count.optional().meta(about("Null if the owner gave none.", 1)),
        number: Count.optional().meta(about("Number of the episode; null if the owner gave none.", 12)),
        episode_type: z
          .union(
            [z.literal("").transform(() => null), EpisodeType, z.null()],
            "must be one of full, trailer, bonus",
          )
          .optional()
          .meta(about("Null means `full`.", "full")),
        transcript_url: clearable(ForeignUrl).meta(
          about(
            "A file elsewhere: VTT, SRT, JSON, text or HTML. Feeds name it unless a transcript is kept here.",
            "https://soundpost.example/transcripts/12.vtt",
          ),
        ),
      })
      .describe("Fields that feeds and the track's page show."),
  })
  .meta({ id: "EpisodeChanges" });

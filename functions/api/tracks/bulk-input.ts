import * as z from "zod";
import { about, idText, label } from "../../lib/text/fields.ts";
import { listOf } from "../../lib/text/search.ts";
import { Artist, trackFields } from "./fields.ts";
import { Id } from "./input.ts";
import { parseTags, writeTags } from "./tags.ts";

/** Tracks of one request. */
const MAX_BULK = 100;

const once = (ids: number[]) => [...new Set(ids)];

const TOO_MANY = `may name ${MAX_BULK} tracks at most`;

/** Fields that several tracks may share. Artists may not: each named user is asked, which counts against a budget by track. */
const { isrc: _, artists: _artists, ...sharedFields } = trackFields;

/** Each tag as a tag list writes it. */
const TagsGiven = label(2_000).transform((list) => parseTags(list).map((tag) => writeTags([tag])));

export const BulkChangesBody = z
  .object({
    ids: z
      .array(Id.meta(about("Id of a track of yours.", 338914811904001)))
      .min(1, "must name a track")
      .max(MAX_BULK, TOO_MANY)
      .transform(once)
      .describe(`Ids of your tracks, ${MAX_BULK} at most.`),
    track: z
      .object({
        metadata_artist: Artist.meta(about("Default: your username.", "Ana Torres")),
        ...sharedFields,
      })
      .optional()
      .describe("Changes that each of them gets. Omitted fields stay unchanged."),
    add_tags: TagsGiven.optional().meta(
      about("Added to the tags of each, written as in `tag_list`.", 'live "night drive"'),
    ),
    remove_tags: TagsGiven.optional().meta(
      about("Removed from the tags of each, in upper or lower case.", "demo"),
    ),
  })
  .meta({ id: "TracksChanges" });

export type BulkChanges = z.output<typeof BulkChangesBody>;

export const BulkIds = z.object({
  ids: listOf(idText("tracks"), MAX_BULK)
    .transform(once)
    .describe(`Ids or URNs of your tracks, comma-separated, ${MAX_BULK} at most.`),
});

export const BulkReply = z
  .strictObject({
    done: z.array(z.int()).meta(about("Ids of the tracks that were changed or deleted.", [338914811904001])),
    refused: z
      .array(
        z.strictObject({
          id: z.int().meta(about("The track.", 338914811904002)),
          title: z.string().nullable().meta(about("Its title; null if it is not yours.", "Night Train")),
          error_message: z
            .string()
            .meta(
              about(
                "Why nothing has changed.",
                "track[sharing]: the track was taken down, so it cannot be made public",
              ),
            ),
        }),
      )
      .describe("The tracks that stay as they were."),
  })
  .meta({ id: "TracksChanged" });
export type BulkReply = z.infer<typeof BulkReply>;

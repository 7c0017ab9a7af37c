import * as z from "zod";
import { flag, idText, plainIdText, text } from "../http/fields.ts";
import { EmbeddableBy, License, Sharing, TrackType } from "./vocabulary.ts";

export const TrackId = z.object({ id: idText("tracks").describe("Id or URN of the track.") });

export const SecretToken = z.object({
  secret_token: z.string().max(100).optional().describe("Opens a private track."),
});

/** A title that is nothing but blanks names nothing. */
const Title = text(255).min(1, "must not be empty");

/** A track made of an upload session that is `ready`. Read-only and unknown fields are ignored. */
export const NewTrackBody = z
  .object({
    track: z.object({
      asset_data: z.never("the file comes in a multipart form, or by an upload session").optional(),
      upload_id: z
        .union([z.int().positive().max(Number.MAX_SAFE_INTEGER), plainIdText])
        .describe("Of an upload session with the status `ready`."),
      title: Title,
      artist: text(255).optional(),
      genre: text(100).nullish(),
      tag_list: text(2000).optional(),
      track_type: TrackType.nullish(),
      license: License.optional(),
      sharing: Sharing.optional(),
      embeddable_by: EmbeddableBy.optional(),
      streamable: flag.optional(),
      downloadable: flag.optional(),
      commentable: flag.optional(),
    }),
  })
  .meta({ id: "NewTrack" });

export type NewTrackFields = z.output<typeof NewTrackBody>["track"];

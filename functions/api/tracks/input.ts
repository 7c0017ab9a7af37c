import * as z from "zod";
import { refused } from "../../lib/http/body/form-fields.ts";
import { about, idText, plainIdText, text } from "../../lib/text/fields.ts";
import { clearableImage } from "../images/input.ts";
import type { Artwork } from "../images/links.ts";
import { Artist, NewPublishAt, Title, trackFields } from "./fields.ts";

export const TrackId = z.object({ id: idText("tracks").describe("Id or URN of the track.") });

export const SecretToken = z.object({
  secret_token: z.string().max(100).optional().describe("Opens a private track."),
});

const NO_ID = "must be an id";

export const Id = z.union([z.int(NO_ID).positive(NO_ID), plainIdText], NO_ID);

/** A track from an upload session that is `ready`. Read-only and unknown fields are ignored. */
export const NewTrackBody = z
  .object({
    track: z
      .object({
        asset_data: refused("send the file in a multipart form or by an upload session"),
        artwork_data: refused("send the file in a multipart form"),
        upload_id: Id.meta(about("Id of an upload session with the status `ready`.", 338914811904200)),
        title: Title,
        artist: Artist.meta(about("Default: your username.", "Ana Torres")),
        ...trackFields,
        publish_at: NewPublishAt,
      })
      .describe("The track."),
  })
  .meta({ id: "NewTrack" });

export type NewTrackFields = z.output<typeof NewTrackBody>["track"] & Partial<Artwork>;

/** Read-only and unknown fields are ignored. */
export const TrackChangesBody = z
  .object({
    track: z
      .object({
        title: Title.optional(),
        metadata_artist: Artist.meta(about("In JSON only.", "Ana Torres")),
        ...trackFields,
        artwork_data: clearableImage.optional(),
        asset_data: refused("the audio of a track cannot be replaced"),
      })
      .describe("The track."),
  })
  .meta({ id: "TrackChanges" });

/** The specification has the artist of an update in JSON alone, so a form's is ignored like any unknown field. */
export const TrackChangesForm = z.object({
  track: TrackChangesBody.shape.track.omit({ metadata_artist: true }),
});

export type TrackChanges = z.output<typeof TrackChangesBody>["track"];

export const SupersedingBody = z
  .object({
    superseded_id: Id.meta(
      about("Id of the older track, whose place the track in the path takes.", 338914811903001),
    ),
  })
  .meta({ id: "Superseding" });

/** Limit of users that a track may be shared with. */
const MAX_SHARES = 500;

export const SharesBody = z
  .object({
    users: z
      .array(z.object({ id: Id.meta(about("Id of a user.", 338914811904777)) }))
      .max(MAX_SHARES, `may hold ${MAX_SHARES} users at most`)
      .describe("The people it is shared with."),
    sharing_note: text(1_000)
      .nullish()
      .transform((note) => note || null)
      .meta(
        about(
          "A message to the people it is shared with; null without one.",
          "Please tell me what you think",
        ),
      ),
  })
  .meta({ id: "TrackShares" });

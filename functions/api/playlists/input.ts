import * as z from "zod";
import { about, documentedAs, idText, oneOf } from "../../lib/text/fields.ts";
import { clearableImage } from "../images/input.ts";
import { clearableCode, clearableOneOf, NewPublishAt, Title, trackFields } from "../tracks/fields.ts";
import { PlaylistType } from "./vocabulary.ts";

export const PlaylistId = z.object({ id: idText("playlists").describe("Id or URN of the playlist.") });

export const PlaylistTrackId = z.object({
  ...PlaylistId.shape,
  trackId: idText("tracks").describe("Id or URN of the track."),
});

/** Tracks of a playlist. */
export const MAX_TRACKS = 500;

/** That limit, with room for duplicates. */
const MAX_NAMED = 1_000;

/** Long enough for that many URNs. */
const MAX_LIST_CHARS = MAX_NAMED * 40;

const oneTrackId = idText("tracks");

/** A form field may hold several ids, separated by commas. */
const trackIds = z
  .union([z.int().positive().max(Number.MAX_SAFE_INTEGER).transform(String), z.string().max(MAX_LIST_CHARS)])
  .transform((list) => list.split(","));

/** A track as it appears in replies. Only its `id` counts. */
const TrackNamed = z
  .object({
    id: trackIds.optional().meta(about("Unique among its kind. Safe as a JSON number.", 338914811904001)),
    urn: trackIds
      .meta(documentedAs({ type: "string", maxLength: MAX_LIST_CHARS }))
      .optional()
      .meta(about("The id with its kind.", "soundcloud:tracks:338914811904001")),
  })
  .refine(({ id, urn }) => id ?? urn, "must have an id or a urn");

const TOO_MANY = `may name ${MAX_NAMED} tracks at most`;

/** Parses ids only after all lists together passed the limit. */
export const Tracks = z
  .array(TrackNamed)
  .max(MAX_NAMED, TOO_MANY)
  .refine((named) => named.reduce((sum, { id, urn = [] }) => sum + (id ?? urn).length, 0) <= MAX_NAMED, {
    message: TOO_MANY,
    abort: true,
  })
  .transform((named, ctx) => {
    const read = named.flatMap(({ id, urn = [] }, at) => {
      const ids = (id ?? urn).map((text) => oneTrackId.safeParse(text.trim()).data ?? []);
      const path = [at, id ? "id" : "urn"];
      if (ids.some(Array.isArray))
        ctx.addIssue({ code: "custom", message: "must be an id or a URN", path, input: id ?? urn });
      return ids.flat();
    });
    return [...new Set(read)];
  })
  .describe("Objects with a track's `id` or `urn`. A playlist holds each track once, 500 tracks at most.");

/** All fields that owners may write. Omitted fields stay unchanged. */
export const playlistFields = {
  sharing: trackFields.sharing,
  publish_at: trackFields.publish_at,
  embeddable_by: trackFields.embeddable_by,
  description: trackFields.description,
  genre: trackFields.genre,
  tag_list: trackFields.tag_list,
  license: trackFields.license,
  label_id: trackFields.label_id,
  label_name: trackFields.label_name,
  release: trackFields.release,
  release_day: trackFields.release_day,
  release_month: trackFields.release_month,
  release_year: trackFields.release_year,
  release_date: trackFields.release_date,
  purchase_url: trackFields.purchase_url,
  purchase_title: trackFields.purchase_title,
  ean: clearableCode(/^(?:\d{8}|\d{12,14})$/, "must be an EAN or UPC: 8, 12, 13 or 14 digits").meta(
    about("European article number. Null if the owner gave none.", "4006381333931"),
  ),
  playlist_type: clearableOneOf(PlaylistType).meta(
    about("Kind of release; null if none was given.", "album"),
  ),
  set_type: oneOf(["album", "playlist"])
    .optional()
    .meta(about("`album` or no type. Ignored with a `playlist_type`.", "album")),
  artwork_data: clearableImage.optional(),
};

/** Read-only and unknown fields are ignored. */
export const NewPlaylistBody = z
  .object({
    playlist: z
      .object({ title: Title, ...playlistFields, publish_at: NewPublishAt, tracks: Tracks.optional() })
      .describe("The playlist."),
  })
  .meta({ id: "NewPlaylist" });

export const PlaylistChangesBody = z
  .object({
    playlist: z
      .object({
        title: Title.optional(),
        ...playlistFields,
        tracks: Tracks.optional().describe("Added after the present tracks."),
      })
      .describe("The playlist."),
  })
  .meta({ id: "PlaylistChanges" });

export type PlaylistFields = z.output<typeof PlaylistChangesBody>["playlist"];

/** Accepts the body with or without the usual wrapper. */
export const PlaylistTracksBody = z
  .object({
    tracks: Tracks.optional(),
    playlist: z.object({ tracks: Tracks }).optional().describe("The playlist."),
  })
  .transform(({ tracks, playlist }, ctx) => {
    const whole = tracks ?? playlist?.tracks;
    // Validation reports an undefined input as missing.
    if (!whole) ctx.addIssue({ code: "custom", path: ["tracks"], input: undefined });
    return { tracks: whole ?? [] };
  })
  .meta({ id: "PlaylistTracks" });

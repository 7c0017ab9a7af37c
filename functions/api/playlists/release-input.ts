import * as z from "zod";
import { about } from "../../lib/text/fields.ts";
import { clearableImage } from "../images/input.ts";
import { Artist, NewPublishAt, Title, trackFields } from "../tracks/fields.ts";
import { MAX_TRACKS, playlistFields, Tracks } from "./input.ts";

/** Fields of the playlist that each track gets, too. */
const shared = {
  genre: trackFields.genre,
  license: trackFields.license,
  label_name: trackFields.label_name,
  release: trackFields.release,
  release_day: trackFields.release_day,
  release_month: trackFields.release_month,
  release_year: trackFields.release_year,
  release_date: trackFields.release_date,
};

export const NewReleaseBody = z
  .object({
    release: z
      .object({
        title: Title,
        tracks: Tracks.refine((ids) => ids.length > 0, "must name a track").describe(
          `Objects with the \`id\` or \`urn\` of your own tracks, in the order to play, ${MAX_TRACKS} at most. They may still be encoding.`,
        ),
        playlist_type: playlistFields.playlist_type,
        publish_at: NewPublishAt.meta(
          about(
            "Time at which all of it becomes public together, as RFC 3339, at most 730 days ahead. Tracks that are public already stay so. Without it, all is public at once.",
            null,
          ),
        ),
        ...shared,
        artist: Artist.meta(
          about("The artist of every track. Without it, each keeps its own.", "Ana Torres"),
        ),
        description: playlistFields.description,
        tag_list: playlistFields.tag_list,
        ean: playlistFields.ean,
        purchase_url: playlistFields.purchase_url,
        purchase_title: playlistFields.purchase_title,
        artwork_data: clearableImage.optional(),
      })
      .describe("The release."),
  })
  .meta({ id: "NewRelease" });

export type ReleaseFields = z.output<typeof NewReleaseBody>["release"];

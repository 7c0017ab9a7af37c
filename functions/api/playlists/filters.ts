import * as z from "zod";
import type { Shown } from "../../../db/queries/playlists.ts";
import { Offset, PagingById } from "../../lib/http/paging.ts";
import { flagText, idText, oneOf } from "../../lib/text/fields.ts";
import { Forgiving, listOf, SearchText, URNS } from "../../lib/text/search.ts";
import { TrackFilters } from "../tracks/filters.ts";

/** Selects how many details of a playlist's tracks are included. */
export const PlaylistParts = z.object({
  representation: oneOf(["compact", "id"])
    .optional()
    .describe("`compact` omits the tracks; `id` lists only their ids."),
  access: TrackFilters.shape.access.describe(
    "`playable`, `preview`, `blocked`, comma-separated. Filters the playlist's tracks by your access to them. The playlist itself stays.",
  ),
  show_tracks: flagText.optional().describe("`false` omits the tracks."),
});

export const trackDetail = ({ representation, show_tracks }: z.output<typeof PlaylistParts>): Shown => {
  if (representation === "compact" || show_tracks === false) return "none";
  return representation === "id" ? "ids" : "tracks";
};

export const OpensPlaylist = z.object({
  secret_token: z
    .string()
    .max(100)
    .optional()
    .describe("Opens a private playlist, and its owner's private tracks inside it."),
});

const MAX_IDS = 200;

const ids = listOf(idText("playlists"), MAX_IDS).optional();

/** Query of every list of playlists. */
export const PlaylistListQuery = z.object({
  ...PlaylistParts.shape,
  q: SearchText.describe(
    "Matches every word, or its beginning, in title, description, genre, tags or username; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first. Playlists come without their tracks.",
  ),
  forgiving: Forgiving,
  ids: ids.describe("Ids or URNs, comma-separated, 200 at most."),
  urns: ids.meta({ ...URNS, description: "The same as `ids`." }),
  ...PagingById.shape,
  ...Offset.shape,
});
export type PlaylistListQuery = z.output<typeof PlaylistListQuery>;

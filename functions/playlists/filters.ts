import * as z from "zod";
import type { Shown } from "../../db/queries/playlists.ts";
import { Offset, PagingById } from "../http/paging.ts";
import { flagText, idText, oneOf } from "../text/fields.ts";
import { listOf, SearchText } from "../text/search.ts";
import { TrackFilters } from "../tracks/filters.ts";

/** Selects how much of its tracks comes with a playlist. */
export const PlaylistParts = z.object({
  representation: oneOf(["compact", "id"])
    .optional()
    .describe("`compact` leaves the tracks out; `id` lists their ids alone."),
  access: TrackFilters.shape.access.describe(
    "`playable`, `preview`, `blocked`, comma-separated: what you may do with the tracks that come with it, and that it tells of. The playlist itself stays.",
  ),
  show_tracks: flagText.optional().describe("`false` leaves the tracks out."),
});

export const shownOf = ({ representation, show_tracks }: z.output<typeof PlaylistParts>): Shown => {
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
    "Every word, or its beginning, in title, description, genre, tags or username; a phrase in double quotes as it stands. Chinese, Japanese, Korean, Thai and the like by any two characters that stand together or more, emoji as words. Best match first among the newest 1,000. Playlists come without their tracks.",
  ),
  ids: ids.describe("Ids or URNs, comma-separated, 200 at most."),
  urns: ids.describe("As `ids`."),
  ...PagingById.shape,
  ...Offset.shape,
});
export type PlaylistListQuery = z.output<typeof PlaylistListQuery>;

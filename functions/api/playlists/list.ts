import type { Context } from "hono";
import type { ListPosition } from "../../../db/queries/choose-matches.ts";
import { listPlaylists } from "../../../db/queries/playlists.ts";
import { countryOf } from "../../lib/http/country.ts";
import type { TokenEnv, UserEnv } from "../../lib/http/env.ts";
import { notFound } from "../../lib/http/errors.ts";
import { readPage, searchedOf, sendCollection } from "../../lib/http/paging.ts";
import { idsOf, parseSearch } from "../../lib/text/search.ts";
import { type PlaylistListQuery, trackDetail } from "./filters.ts";
import { Playlist, representShown } from "./representation.ts";

/** Tracks per page, at 2 KB each: fifty of the longest playlists would not fit in an isolate. */
const MAX_TRACKS = 1_000;

export const Playlists = searchedOf(Playlist, "playlists").meta({ id: "Playlists" });

interface Wanted {
  /** Names the list in its cursors. */
  list: string;
  /** Owner of the playlists. Default: anybody. */
  owner?: number;
  /** User whose favorites or reposts these are, latest first. */
  favored_by?: number;
  reposted_by?: number;
}

/** Sends a page of playlists in the common form of these lists. */
export async function playlistPage(
  c: Context<TokenEnv> | Context<UserEnv>,
  given: PlaylistListQuery,
  { list: name, ...whose }: Wanted,
) {
  const filter = { ...whose, ids: idsOf(given.ids, given.urns), ...parseSearch(given) };
  const { page, nextHref } = readPage<ListPosition>(c, name, filter, given);
  const found = await listPlaylists(c.var.db, c.var.viewer, {
    filter,
    page,
    facts: { secretHash: undefined, country: countryOf(c.req) },
    shown: filter.words ? "none" : trackDetail(given),
    access: given.access,
    mostTracks: MAX_TRACKS,
  });
  if (!found) return notFound("User");
  const items = found.playlists.map((playlist) => representShown(c.env, playlist));
  return sendCollection(c, given.linked_partitioning, items, nextHref(found.next, found.meant), found.meant);
}

export const PAGE_ENDS_EARLY = `With tracks, a page ends early at ${MAX_TRACKS} tracks; \`linked_partitioning\` leads on.`;

import type { Context } from "hono";
import * as z from "zod";
import { listTracks, type TrackPosition } from "../../db/queries/track-lists.ts";
import { countryOf } from "../http/country.ts";
import type { TokenEnv, UserEnv } from "../http/env.ts";
import { notFound } from "../http/errors.ts";
import { collectionOf, Offset, PagingById, readPage, sendCollectionText } from "../http/paging.ts";
import { sortOf, TrackFilters, trackFilter } from "./filters.ts";
import { CachedTracks, joined } from "./list-cache.ts";
import { Track } from "./representation.ts";

export const Tracks = collectionOf(Track).meta({ id: "Tracks" });

/** Query of every list of tracks. */
export const TrackListQuery = z.object({ ...TrackFilters.shape, ...PagingById.shape, ...Offset.shape });
type TrackListQuery = z.output<typeof TrackListQuery>;

interface Wanted {
  /** Names the list in its cursors. */
  list: string;
  /** Owner of the tracks. Default: anybody. */
  owner?: number;
  /** User whose favorites or reposts these are, latest first. */
  favored_by?: number;
  reposted_by?: number;
}

type Asking = Context<TokenEnv> | Context<UserEnv>;

/** Sends a page of tracks in the common form of these lists. */
export async function trackPage(c: Asking, given: TrackListQuery, wanted: Wanted) {
  const { tracks, cached, next } = await readTracks(c, given, wanted);
  return sendCollectionText(c, given.linked_partitioning, joined(cached.render(c.env, tracks)), next);
}

export async function readTracks(c: Asking, given: TrackListQuery, { list: name, ...whose }: Wanted) {
  const sort = sortOf(given);
  const filter = trackFilter(given, whose);
  const { list, page, nextHref } = readPage<TrackPosition>(c, name, { ...filter, sort }, given);
  const cached = new CachedTracks(`${list} ${page.limit} ${page.offset} ${given.cursor}`, filter.ids);
  const ranked = sort === undefined && filter.words !== undefined;
  const found = await listTracks(c.var.db, c.var.viewer, {
    filter,
    page: { ...page, ascending: sort === "asc", ranked },
    country: countryOf(c.req),
    held: cached.held,
  });
  if (!found.owner_found) return notFound("User");
  return { tracks: found.tracks, cached, next: nextHref(found.next) };
}

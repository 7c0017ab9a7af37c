import type { Context } from "hono";
import * as z from "zod";
import type { TrackPosition } from "../../../db/queries/choose-tracks.ts";
import { listTracks } from "../../../db/queries/track-lists.ts";
import { countryOf } from "../../lib/http/country.ts";
import type { TokenEnv, UserEnv } from "../../lib/http/env.ts";
import { notFound } from "../../lib/http/errors.ts";
import { Offset, PagingById, readPage, searchedOf, sendCollection } from "../../lib/http/paging.ts";
import { sortOf, TrackFilters, trackFilter } from "./filters.ts";
import { representTrack, Track } from "./representation.ts";

export const Tracks = searchedOf(Track, "tracks").meta({ id: "Tracks" });

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
  /** User who is an artist of others' tracks. */
  credited?: number;
}

type Asking = Context<TokenEnv> | Context<UserEnv>;

/** Sends a page of tracks in the common form of these lists. */
export async function trackPage(c: Asking, given: TrackListQuery, wanted: Wanted) {
  const { tracks, next, meant } = await readTracks(c, given, wanted);
  return sendCollection(c, given.linked_partitioning, tracks, next, meant);
}

export async function readTracks(c: Asking, given: TrackListQuery, { list: name, ...whose }: Wanted) {
  const sort = sortOf(given);
  const filter = trackFilter(given, whose);
  const { page, nextHref } = readPage<TrackPosition>(c, name, { ...filter, sort }, given);
  const ranked = sort === undefined && filter.words !== undefined;
  const found = await listTracks(c.var.db, c.var.viewer, {
    filter,
    page: { ...page, ascending: sort === "asc", ranked },
    country: countryOf(c.req),
  });
  if (!found.found) return notFound("User");
  const { meant } = found;
  const tracks = found.tracks.map((track) => representTrack(c.env, track));
  return { tracks, next: nextHref(found.next, meant), meant };
}

import type { Context } from "hono";
import type * as z from "zod";
import type { OrderedTracksQuery, TrackList } from "../../../db/queries/track-lists.ts";
import type { TokenEnv, UserEnv } from "../../lib/http/env.ts";
import { notFound } from "../../lib/http/errors.ts";
import { readPage, sendCollection } from "../../lib/http/paging.ts";
import { sortOf, trackFilter } from "./filters.ts";
import type { TrackListQuery } from "./list.ts";
import { representTrack } from "./representation.ts";

interface OwnOrder<Position> {
  /** Cursors of other lists are refused. */
  name: string;
  /** The list's subject, as the 404 names it. */
  of: string;
  ask: (asked: OrderedTracksQuery<Position>) => Promise<TrackList<Position>>;
}

/**
 * Sends a page of tracks whose order only its statement knows. The statement returns the position to continue
 * from.
 */
export async function sendTrackList<Position extends object>(
  c: Context<TokenEnv> | Context<UserEnv>,
  given: z.output<typeof TrackListQuery>,
  { name, of, ask }: OwnOrder<Position>,
): Promise<Response> {
  const sort = sortOf(given);
  const filter = trackFilter(given, {});
  const { page, nextHref } = readPage<Position>(c, name, { ...filter, sort }, given);
  const found = await ask({ filter, page: { ...page, ascending: sort && sort === "asc" } });
  if (!found.found) return notFound(of);
  const tracks = found.tracks.map((track) => representTrack(c.env, track));
  return sendCollection(c, given.linked_partitioning, tracks, nextHref(found.next));
}

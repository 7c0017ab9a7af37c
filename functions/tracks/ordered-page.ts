import type { Context } from "hono";
import type * as z from "zod";
import type { TrackColumns } from "../../db/queries/track-lists.ts";
import type { TokenEnv, UserEnv } from "../http/env.ts";
import { notFound } from "../http/errors.ts";
import { filteredList, nextPage, pageSize, readPosition, sendCollectionText } from "../http/paging.ts";
import { trackFilter } from "./filters.ts";
import type { TrackListQuery } from "./list.ts";
import { CachedTracks, joined } from "./list-cache.ts";

/** Input of the list's statement. */
interface Asked<Position> {
  filter: object;
  page: { limit: number; offset: number; ascending?: boolean | undefined } & Partial<Position>;
  held: string;
}

type Answered<Position> = { found: false } | { found: true; tracks: TrackColumns; next: Position | null };

interface OwnOrder<Position> {
  /** Cursors of other lists are refused. */
  name: string;
  /** Named in the 404 if the list's subject does not exist. */
  of: string;
  ask: (asked: Asked<Position>) => Promise<Answered<Position>>;
}

/**
 * Sends a page of tracks whose order only its statement knows. The statement returns the position to continue
 * from.
 */
export async function sendOrderedPage<Position extends object>(
  c: Context<TokenEnv> | Context<UserEnv>,
  given: z.output<typeof TrackListQuery>,
  { name, of, ask }: OwnOrder<Position>,
): Promise<Response> {
  const { offset, cursor, sort, linked_partitioning } = given;
  const limit = pageSize(given);
  const filter = trackFilter(given, {});
  const list = filteredList(name, { ...filter, sort });
  const scope = { SIGNING_KEYS: c.env.SIGNING_KEYS, list, userId: c.var.viewer.userId };
  const position = readPosition(scope, cursor);
  const page = {
    limit,
    offset: position ? 0 : offset,
    ascending: sort && sort === "asc",
    ...(position && JSON.parse(position)),
  };
  const cached = new CachedTracks(`${list} ${limit} ${page.offset} ${cursor}`, filter.ids);
  const found = await ask({ filter, page, held: cached.held });
  if (!found.found) return notFound(of);
  const next = found.next && nextPage(scope, JSON.stringify(found.next), c.req.url, c.env);
  return sendCollectionText(c, linked_partitioning, joined(cached.render(c.env, found.tracks)), next);
}

import * as z from "zod";
import type { Env } from "./env.ts";
import { badRequest } from "./errors.ts";
import { integerText } from "./fields.ts";
import { apiUrl, type Links } from "./links.ts";
import { sign, verify } from "./signing.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** Taken by every collection. */
export const Paging = z.object({
  limit: integerText(1, Number.MAX_SAFE_INTEGER)
    .transform((limit) => Math.min(limit, MAX_LIMIT))
    .default(DEFAULT_LIMIT)
    .describe(`Page size, 1 to ${MAX_LIMIT}; more is taken as ${MAX_LIMIT}.`),
  linked_partitioning: z
    .string()
    .transform((value) => value === "true" || value === "1")
    .default(false)
    .describe("`true` or `1` wraps the list in `{collection, next_href}`."),
  cursor: z.string().optional().describe("Opaque; only ever taken from a `next_href`."),
});

/** What a cursor is bound to: another list's, or another user's, is refused. */
type CursorScope = Pick<Env, "SIGNING_KEYS"> & { list: string; userId: number | null };

/** The id below which the page begins. Above every id where no cursor was sent. */
export function readCursor(scope: CursorScope, cursor: string | undefined): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER;
  const [list, user, id] = verify(scope, "cursor", cursor)?.split(" ") ?? [];
  if (list !== scope.list || user !== String(scope.userId))
    return badRequest("cursor: not one that this list gave out");
  return Number(id);
}

interface PageOf {
  /** One row more than `limit` were asked for: the extra one only tells that there is a next page. */
  rows: { id: number }[];
  limit: number;
  url: string;
  links: Links;
}

/** `next_href` repeats every parameter of the request, on the public host, and is absent at the end. */
export function nextHref(scope: CursorScope, { rows, limit, url, links }: PageOf): string | undefined {
  const last = rows[limit - 1];
  if (rows.length <= limit || !last) return undefined;
  const { pathname, searchParams } = new URL(url);
  searchParams.set("cursor", sign(scope, "cursor", `${scope.list} ${scope.userId} ${last.id}`));
  return `${apiUrl(links, pathname)}?${searchParams}`;
}

/** The two shapes of a collection: a bare array, or with `linked_partitioning` a page. */
export function collection<Item>(linked: boolean, items: Item[], next: string | undefined) {
  return linked ? { collection: items, ...(next && { next_href: next }) } : items;
}

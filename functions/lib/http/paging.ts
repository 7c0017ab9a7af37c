import { createHash } from "node:crypto";
import type { Context } from "hono";
import * as z from "zod";
import { sign, verify } from "../security/signing.ts";
import { about, documentedAs, flagText, integerText } from "../text/fields.ts";
import { Corrected, parseSearch } from "../text/search.ts";
import type { Env, TokenEnv, UserEnv, Viewer } from "./env.ts";
import { badRequest } from "./errors.ts";
import { JSON_TYPE } from "./json-type.ts";
import { apiUrl, type Links } from "./links.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const MAX_OFFSET = 10_000;

const limit = z
  .string()
  .regex(
    /^0*[1-9][0-9]*$/,
    `must be a whole number from 1 to ${MAX_LIMIT}; a larger one counts as ${MAX_LIMIT}`,
  )
  .transform((digits) => Math.min(Number(digits), MAX_LIMIT))
  .meta(documentedAs({ type: "integer", minimum: 1, maximum: MAX_LIMIT }));

/** Accepted by every collection. */
export const Paging = z.object({
  limit: limit
    .default(DEFAULT_LIMIT)
    .describe(`Page size, 1 to ${MAX_LIMIT}; a larger one counts as ${MAX_LIMIT}.`),
  linked_partitioning: flagText
    .default(false)
    .describe(
      "`true` wraps the list in `{collection, next_href}`. For a bare array the header `Link` names the next page.",
    ),
  cursor: z.string().optional().describe("Opaque. Take it from `next_href`."),
});

/** Accepted by lists that can be requested by ids and then return every named item. */
export const PagingById = z.object({
  ...Paging.shape,
  limit: limit
    .optional()
    .describe(
      `Page size, 1 to ${MAX_LIMIT}; a larger one counts as ${MAX_LIMIT}. Default: ${DEFAULT_LIMIT}, with \`ids\` or \`urns\` ${MAX_LIMIT}.`,
    ),
});

interface AskedById {
  limit?: number | undefined;
  ids?: number[] | undefined;
  urns?: number[] | undefined;
}

export const pageSize = ({ limit, ids, urns }: AskedById): number =>
  limit ?? (ids || urns ? MAX_LIMIT : DEFAULT_LIMIT);

/** Predates `next_href`. Kept for clients that page by offset. */
export const Offset = z.object({
  offset: integerText(0, MAX_OFFSET)
    .default(0)
    .meta({
      description: `Number of items to skip, ${MAX_OFFSET} at most. Ignored with a \`cursor\`.`,
      deprecated: true,
    }),
});

/** Binds a cursor to its list, filter and user. It is refused elsewhere. */
export type CursorScope = Pick<Env, "SIGNING_KEYS"> & { list: string; userId: number | null };

/** Each filter makes a list of its own. */
export function filteredList(list: string, filter: object): string {
  const hash = createHash("sha256").update(JSON.stringify(filter)).digest("base64url");
  return `${list}?${hash.slice(0, 22)}`;
}

/** Returns the position passed to `nextPage`, or `undefined` on the first page. */
export function readPosition(
  scope: CursorScope,
  cursor: string | undefined,
  parameter = "cursor",
): string | undefined {
  if (cursor === undefined) return undefined;
  const [list, user, position] = verify(scope, "cursor", cursor)?.split(" ") ?? [];
  if (list !== scope.list || user !== String(scope.userId))
    return badRequest(`${parameter}: was not issued by this list`, "foreign-cursor");
  return position;
}

/** Returns the id below which the page begins. Without a cursor it exceeds every id. */
export const readCursor = (scope: CursorScope, cursor: string | undefined): number =>
  Number(readPosition(scope, cursor) ?? Number.MAX_SAFE_INTEGER);

/** Signs `position`, which must not hold spaces. */
export const cursorAt = (scope: CursorScope, position: string): string =>
  sign(scope, "cursor", `${scope.list} ${scope.userId} ${position}`);

/** Repeats every parameter of the request, on the public host. */
export function nextPage(scope: CursorScope, position: string, url: string, links: Links): string {
  const { pathname, searchParams } = new URL(url);
  searchParams.set("cursor", cursorAt(scope, position));
  return `${apiUrl(links, pathname)}?${searchParams}`;
}

/** Query of a list whose statement returns the next position. */
type AskedFrom = AskedById & { cursor?: string | undefined; offset: number };

/** Reads a page of a list whose statement returns the next position. */
export function readPage<Position extends object>(
  c: Pick<Context<TokenEnv> | Context<UserEnv>, "env"> & { req: { url: string }; var: { viewer: Viewer } },
  name: string,
  filter: object,
  given: AskedFrom,
) {
  const list = filteredList(name, filter);
  const scope = { SIGNING_KEYS: c.env.SIGNING_KEYS, list, userId: c.var.viewer.userId };
  const position = readPosition(scope, given.cursor);
  // The signature proves that the position comes from `nextHref`.
  const reached: Partial<Position> = position ? JSON.parse(position) : {};
  return {
    page: { limit: pageSize(given), offset: position ? 0 : given.offset, ...reached },
    /** The pages behind a corrected search are those of the words that were meant. */
    nextHref(next: Position | null | undefined, corrected?: string) {
      if (!next) return next;
      const url = new URL(c.req.url);
      if (corrected === undefined) return nextPage(scope, JSON.stringify(next), url.href, c.env);
      url.searchParams.set("q", corrected);
      const meant = { ...filter, ...parseSearch({ q: corrected, forgiving: true }) };
      return nextPage({ ...scope, list: filteredList(name, meant) }, JSON.stringify(next), url.href, c.env);
    },
  };
}

interface PageOf {
  /** Holds up to `limit` + 1 rows: the extra one shows that there is a next page. */
  rows: { id: number }[];
  limit: number;
  url: string;
  links: Links;
}

/** Returns the next page of a list by id, or `undefined` at the end. */
export function nextHref(scope: CursorScope, { rows, limit, url, links }: PageOf): string | undefined {
  const last = rows[limit - 1];
  if (rows.length <= limit || !last) return undefined;
  return nextPage(scope, String(last.id), url, links);
}

/** Schema of a page. The path is the example's. */
export const pageOf = <Item extends z.ZodType>(item: Item, path: string) => {
  const next = `https://api.soundpost.example/${path}?linked_partitioning=true&cursor=eyJh`;
  return z.strictObject({
    collection: z.array(item).describe("The page's items."),
    next_href: z.url().optional().meta(about("The next page; absent on the last one.", next)),
  });
};

/** Schema of a collection: a bare array, or a page with `linked_partitioning`. */
export const collectionOf = <Item extends z.ZodType>(item: Item, path: string) =>
  z.union([z.array(item), pageOf(item, path)]);

/** The same for a collection that can be searched. */
export const searchedOf = <Item extends z.ZodType>(item: Item, path: string) =>
  z.union([z.array(item), pageOf(item, path).extend(Corrected)]);

/** Query of a list by id. Not every list takes an `offset`. */
type AskedPage = z.output<typeof Paging> & Partial<z.output<typeof Offset>>;

interface ListById<Row> {
  /** Names the list in its cursors. */
  list: string;
  /** Returns up to `limit` rows below the id `before`, newest first. */
  find: (page: { before: number; offset: number; limit: number }) => Promise<Row[]>;
  represent: (row: Row) => unknown;
}

/** Sends a page of a list that is ordered by id. Fetches one more row to see whether another page follows. */
export async function sendPageById<Row extends { id: number }>(
  c: Context<TokenEnv> | Context<UserEnv>,
  { limit, linked_partitioning, cursor, offset = 0 }: AskedPage,
  { list, find, represent }: ListById<Row>,
): Promise<Response> {
  const scope = { SIGNING_KEYS: c.env.SIGNING_KEYS, list, userId: c.var.viewer.userId };
  const before = readCursor(scope, cursor);
  const rows = await find({ before, offset: cursor === undefined ? offset : 0, limit: limit + 1 });
  const next = nextHref(scope, { rows, limit, url: c.req.url, links: c.env });
  return sendCollection(c, linked_partitioning, rows.slice(0, limit).map(represent), next);
}

/** Sends a bare array, or a page with `linked_partitioning`. A header marks a bare array that was cut. */
export function sendCollection<Item>(
  c: Context,
  linked: boolean,
  items: Item[],
  next: string | null | undefined,
  corrected_q?: string,
) {
  const headers = { "Content-Type": JSON_TYPE, ...(next && !linked && { Link: `<${next}>; rel="next"` }) };
  const reply = linked
    ? {
        collection: items,
        ...(next && { next_href: next }),
        ...(corrected_q !== undefined && { corrected_q }),
      }
    : items;
  return c.body(JSON.stringify(reply), 200, headers);
}

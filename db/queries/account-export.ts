import { and, eq, lt, type SQLWrapper, sql } from "drizzle-orm";
import type { Database, Reader } from "../client.ts";
import { accounts, siteSessions, users } from "../schema/people.ts";
import { type Reading, selected } from "../stored-select.ts";
import { isSignedIn } from "./accounts.ts";
import { LISTS, type List } from "./exported-lists.ts";
import { type Item, shortParts } from "./exported-parts.ts";
import { signedInUser } from "./settings.ts";

/** Bytes of the lists in a piece. A longer row comes whole. */
const PIECE_BYTES = 2 * 1024 * 1024;

/** A row's values in the columns that order its list. */
type Place = number[];

/** A place before every row. */
const START: Place = [0, 0];

/** A piece of an export. */
export interface Exported {
  /** The short parts, by their names. Only in the first piece. */
  about: Item | null;
  lists: { name: string; rows: Item[] }[];
  /** The beginning of the next piece. */
  next: { list: string; after: Place } | null;
}

/**
 * Reads a piece of the user's stored data, from the end of the last piece: the rest of a long list, or else all
 * following lists. `undefined` if nobody is signed in.
 */
export async function exportAccount(
  db: Database,
  sessionHash: string,
  from: Exported["next"],
): Promise<Exported | undefined> {
  const on = db.drizzle;
  const user = signedInUser(on, sessionHash);
  const after = from?.after ?? START;
  const rest = LISTS.slice(from ? LISTS.findIndex(({ name }) => name === from.list) : 0);
  const asked = after.some(Boolean) ? rest.slice(0, 1) : rest;
  const [[signedIn], ...pages] = await db.readAll([
    selected(
      on
        .select({ about: from ? sql<null>`null` : shortParts(on, user) })
        .from(siteSessions)
        .innerJoin(users, eq(users.id, siteSessions.userId))
        .innerJoin(accounts, eq(accounts.userId, users.id))
        .where(isSignedIn(sessionHash)),
    ),
    ...asked.map((list) => rowsAfter(on, user, list, after, Math.floor(PIECE_BYTES / asked.length))),
  ]);
  if (!signedIn) return undefined;
  const piece: Exported = { ...signedIn, lists: [], next: null };
  for (const [at, { name, most }] of asked.entries()) {
    const rows = pages[at] ?? [];
    piece.lists.push({ name, rows: rows.map(({ item }) => item) });
    const last = rows.at(-1);
    const isWhole = !last || (rows.length === last.found && last.found < most);
    if (!isWhole) return { ...piece, next: { list: name, after: last.place } };
  }
  const next = rest[asked.length];
  return next ? { ...piece, next: { list: next.name, after: START } } : piece;
}

interface Row {
  item: Item;
  place: Place;
  /** Rows, including those beyond the size of the piece. */
  found: number;
}

/** Reads the rows of a list after a place, the first in any case. */
function rowsAfter(on: Reader, user: SQLWrapper, list: List, after: Place, bytes: number): Reading<Row> {
  const place = sql.join(list.order, sql`, `);
  const cursor = list.order.map((_, at) => sql`${after[at] ?? 0}::bigint`);
  const rows = on
    .select({
      item: sql<Item>`${list.item}`.as("item"),
      place: sql<Place>`jsonb_build_array(${place})`.as("place"),
    })
    .from(list.from)
    .where(and(list.isTheirs(on, user), sql`(${place}) > (${sql.join(cursor, sql`, `)})`))
    .orderBy(...list.order)
    .limit(list.most)
    .as("rows");
  const size = sql`octet_length(${rows.item}::text)`;
  const measured = on
    .select({
      item: rows.item,
      place: rows.place,
      found: sql`count(*) over ()`.mapWith(Number).as("found"),
      before: sql<number>`sum(${size}) over (order by ${rows.place}) - ${size}`.as("before"),
    })
    .from(rows)
    .as("measured");
  return selected(
    on
      .select({ item: measured.item, place: measured.place, found: measured.found })
      .from(measured)
      .where(lt(measured.before, bytes))
      .orderBy(measured.place),
  );
}

import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { counterDeltas } from "../schema/counters.ts";
import type { Drizzle } from "../transports/open.ts";
import { createdAt } from "./caller.ts";

/** The ids that a stored select is to show, in their order. */
export const askedIds = (on: Drizzle, ids: SQL) =>
  on
    .$with("asked")
    .as(
      on
        .select({ id: sql<number>`id`.as("asked_id"), place: sql<number>`place`.as("place") })
        .from(sql`unnest(${ids}) with ordinality as asked_ids(id, place)`),
    );

/**
 * The id of a row of `asked` or of its pending changes, which are fully joined. PostgreSQL hashes a full join; in a
 * left join it would compare each change with every id.
 */
export const idOf = (asked: { id: SQLWrapper }, pending: { id: SQLWrapper }) =>
  sql`coalesce(${asked.id}, ${pending.id})`;

/**
 * An optimization fence: with `offset 0`, PostgreSQL does not copy a subquery's expression to wherever it is used. As SQL, because
 * the builder, which types numbers alone, leaves the number 0 out.
 */
export const FENCE = sql`0` as never;

/** Time of the first publication of a track or playlist. Null if it was never public. */
export const publishedAt = (of: Record<"sharing" | "wasPublic" | "publishedId", PgColumn>) =>
  createdAt(sql`case when ${of.sharing} = 'public' or ${of.wasPublic} then ${of.publishedId} end`) as SQL<
    string | null
  >;

/** PostgreSQL sends 64-bit integers as text. */
export const number = (expression: SQL) => expression.mapWith(Number) as SQL<number>;

/** The sum of a counter's pending changes, which the sweep has yet to add to it. */
export const pendingOf = (counter: string) =>
  sql`sum(${counterDeltas.delta}) filter (where ${counterDeltas.counter} = ${counter})`.as(
    `pending_${counter}`,
  );

/** A counter with its pending changes, and what only the reader sees. */
export const counted = (column: PgColumn, pending: SQLWrapper, more?: SQL) =>
  number(sql`${column} + coalesce(${pending}, 0)${more ? sql` + ${more}` : sql``}`);

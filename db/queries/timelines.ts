import { and, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { firstIdAt } from "./caller.ts";

/**
 * Snapshot of a list ordered by time-ordered ids. Ids precede their commits, so paging by the newest id would lose rows in flight.
 * Ids up to `settled` need no check: no transaction stays open that long.
 */
export interface Moment {
  snapshot: string;
  settled: number;
}

/** Page of a list that is read newest first, and polled for newer items. */
export interface TimelinePage {
  limit: number;
  /** End of the previous page. */
  before?: number;
  /** Snapshot of the first page. Later pages contain only rows it saw; its `future_href` continues from it. */
  until?: Moment;
  /** Limits the page to items newer than this. */
  since?: Moment;
}

/** Parameters of a stored select that reads such a page. */
export const TIMELINE = {
  most_rows: "integer",
  before: "bigint",
  since_settled: "bigint",
  since: "pg_snapshot",
  until: "pg_snapshot",
  until_settled: "bigint",
} as const;

/** Requests one row more than the page holds, which shows whether there is a next page. */
export const timelineParameters = ({ limit, before, since, until }: TimelinePage) => ({
  most_rows: limit + 1,
  before: before ?? null,
  since: since?.snapshot ?? null,
  since_settled: since?.settled ?? null,
  until: until?.snapshot ?? null,
  until_settled: until?.settled ?? null,
});

/** Values of `TIMELINE` as expressions. */
type Timeline = Record<keyof typeof TIMELINE, SQL>;

/** Columns of the present moment. */
export const present = {
  snapshot: sql<string>`pg_current_snapshot()::text`,
  settled: firstIdAt(sql`now() - interval '10 minutes'`).mapWith(Number),
};

/** Ends of a timeline, as ids. */
export const idsBetween = ({ before, since_settled }: Timeline) => ({
  above: sql`coalesce(${since_settled}, -1)`,
  below: sql`coalesce(${before}, 9223372036854775807)`,
});

/** Matches rows that are new to the reader and that the first page could see. */
export const isBetween = (
  row: Record<"id" | "transactionId", SQLWrapper>,
  { since, until, until_settled }: Timeline,
) =>
  and(
    sql`(${since} is null or not pg_visible_in_snapshot(${row.transactionId}, ${since}))`,
    sql`(${until} is null or ${row.id} <= ${until_settled} or pg_visible_in_snapshot(${row.transactionId}, ${until}))`,
  );

interface Chosen extends Moment {
  /** Null in the only row of an empty page. */
  id: number | null;
  /** Absent for rows without a track. */
  track?: { fits: boolean } | undefined;
}

/** Drops the extra row, and ends the page before a track whose description exceeds the limit. */
export function toTimeline<Row extends Chosen>(chosen: Row[], { limit, until }: TimelinePage) {
  const [first] = chosen;
  if (!first) throw new Error("A timeline has a row that tells its moment");
  const rows = chosen.filter(({ id }) => id !== null);
  const tooMuch = rows.findIndex(({ track }) => track && !track.fits);
  const shown = rows.slice(0, tooMuch < 0 ? limit : Math.min(tooMuch, limit));
  return {
    rows: shown,
    next: rows.length > shown.length ? (shown.at(-1)?.id ?? null) : null,
    moment: until ?? { snapshot: first.snapshot, settled: first.settled },
  };
}

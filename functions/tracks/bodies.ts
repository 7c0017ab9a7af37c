import type { Columns, TrackBodies } from "../../db/queries/track-lists.ts";
import type { TrackBody } from "../../db/queries/tracks.ts";

/** Returns the bodies by id. */
export function bodiesOf(sent: TrackBodies | null): Map<number, TrackBody> {
  if (!sent) return new Map();
  const { owners, ...columns } = sent;
  const user = rowsOf({ id: columns.user_id, ...owners });
  return new Map(rowsOf({ ...columns, user }).map((body) => [body.id, body]));
}

/** Converts columns to rows. */
function rowsOf<Row extends { id: number }>(columns: Columns<Row>): Row[] {
  const names = Object.keys(columns) as (keyof Row)[];
  return columns.id.map((_id, at) => {
    const row: Partial<Row> = {};
    for (const name of names) row[name] = columns[name][at];
    return row as Row;
  });
}

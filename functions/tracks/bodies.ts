import type { Columns, TrackBodies } from "../../db/queries/track-lists.ts";
import type { TrackBody } from "../../db/queries/tracks.ts";

/** By id. */
export function bodiesOf(columns: TrackBodies | null): Map<number, TrackBody> {
  const bodies = new Map<number, TrackBody>();
  columns?.id.forEach((id, at) => {
    const { user_permalink, username, avatar_version, user_updated_at, ...body } = rowAt(columns, at);
    const user = { id: body.user_id, permalink: user_permalink, username, avatar_version };
    bodies.set(id, { ...body, user: { ...user, updated_at: user_updated_at } });
  });
  return bodies;
}

/** What the columns have there is what the row is made of. */
function rowAt<Row extends object>(columns: Columns<Row>, at: number): Row {
  const row: Partial<Row> = {};
  for (const column in columns) row[column] = columns[column][at];
  return row as Row;
}

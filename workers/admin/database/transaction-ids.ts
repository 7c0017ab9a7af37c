import type pg from "pg";

/** Returns the id that the next transaction gets. */
export async function transactionIdOf(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query("SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS id");
  return Number(rows[0].id);
}

/**
 * Makes a new server count its transactions on from another's. Rows of timelines hold the id of the one that made them, and
 * clients' cursors hold snapshots: lower ids would repeat some items and pass over others. Takes seconds a million.
 */
export const passTransactionIds = (next: number): string =>
  `DO $$ BEGIN WHILE pg_current_xact_id()::text::bigint < ${next} LOOP COMMIT; END LOOP; END $$`;

import { sql } from "drizzle-orm";
import type { Database } from "../client.ts";

/** The uploaded file of a job, for whoever holds its lease. */
export async function findOriginal(db: Database, track: number, leaseToken: string) {
  const [row] = await db.execute<{ key: string; size: number }>(sql`
    select t.original_key as key, t.original_content_size::float8 as size
    from encoding_jobs j join tracks t on t.id = j.track_id
    where j.track_id = ${track} and j.lease_token = ${leaseToken} and j.state = 'leased'`);
  return row;
}

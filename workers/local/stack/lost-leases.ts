import { newClient } from "../../../db/connection.ts";

/** Milliseconds. The transcoder starts again only after this, so a database that hangs must not keep it. */
const PATIENCE_MS = 5_000;

/** Ends the leases of a transcoder that crashed. The next cron gives its jobs to others, so nobody waits for its heartbeats. */
export async function endLeasesOf(databaseUrl: string, transcoder: string): Promise<void> {
  const owner = newClient({
    connectionString: databaseUrl,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  });
  await owner.connect();
  try {
    // Not `now()`: a last heartbeat that began a moment before would take the lease for a live one and renew it.
    await owner.query(
      "UPDATE encoding_jobs SET lease_until = '-infinity' WHERE transcoder = $1 AND state = 'leased'",
      [transcoder],
    );
  } finally {
    await owner.end();
  }
}

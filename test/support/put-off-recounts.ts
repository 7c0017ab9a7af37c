import pg from "pg";

/** Tests and the bench write counters without rows, which a recount would repair. Tests of recounts schedule their own. */
export async function putOffRecounts(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query("update recounts set begun_at = 'infinity'");
  await client.end();
}

import pg from "pg";

/** What the owner of a deployed sandbox's database does once by hand: without the marker nothing is ever restored. */
export async function markSandbox(databaseUrl: string): Promise<void> {
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  try {
    await owner.query("INSERT INTO sandbox.marker DEFAULT VALUES ON CONFLICT DO NOTHING");
  } finally {
    await owner.end();
  }
}

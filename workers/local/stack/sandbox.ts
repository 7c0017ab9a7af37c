import { newClient } from "../../../db/connection.ts";

/** Creates the marker that allows resets. Owners of deployed sandboxes run this by hand, once. */
export async function markSandbox(databaseUrl: string): Promise<void> {
  const owner = newClient({ connectionString: databaseUrl });
  await owner.connect();
  try {
    await owner.query("INSERT INTO sandbox.marker DEFAULT VALUES ON CONFLICT DO NOTHING");
  } finally {
    await owner.end();
  }
}

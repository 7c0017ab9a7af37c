import pg from "pg";
import { migrate } from "../../db/migrate.ts";
import { fillDataDir } from "../support/data-dir.ts";
import { startDatabase } from "./database.ts";
import { temporaryDataDir } from "./npm-start.ts";

/** Starts a copy of the migrated database, and connects as its owner. */
export async function startMigratedDatabase() {
  const dataDir = temporaryDataDir();
  await fillDataDir(dataDir);
  const database = await startDatabase(dataDir);
  const { databaseUrl } = database;
  // Without a copy the database is new.
  await migrate({ url: databaseUrl });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return {
    ...database,
    dataDir,
    client,
    async stop() {
      await client.end();
      await database.stop();
    },
  };
}

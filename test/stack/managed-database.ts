import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { serverAccount } from "../../workers/local/postgres/account.ts";
import { postgresBinaries } from "../../workers/local/postgres/binaries.ts";
import { createCluster } from "../../workers/local/postgres/cluster.ts";
import { databaseDir } from "../../workers/local/postgres/location.ts";
import { keepSecrets } from "../../workers/local/stack/secrets.ts";
import { startDatabase } from "./database.ts";
import { temporaryDataDir } from "./npm-start.ts";

/** Starts a database like a provider's: no role but the owner, which may make others. */
export async function startManagedDatabase(named?: string) {
  const dataDir = temporaryDataDir();
  mkdirSync(dataDir, { recursive: true });
  const account = serverAccount(join(dataDir, "postgres"));
  const cluster = databaseDir(dataDir, account);
  const programs = named ?? join(postgresBinaries(account), "bin");
  const secrets = await keepSecrets(dataDir);
  const passwords = { owner: secrets.DATABASE_OWNER_PASSWORD, app: secrets.DATABASE_APP_PASSWORD };
  createCluster({ programs, directory: cluster, account }, passwords);
  const { status, stderr } = spawnSync(join(programs, "postgres"), ["--single", "-D", cluster, "postgres"], {
    ...account,
    cwd: "/",
    input:
      "GRANT soundpost_app TO soundpost_owner WITH ADMIN OPTION;\nALTER ROLE soundpost_owner CREATEROLE;\n",
  });
  if (status !== 0) throw new Error(String(stderr));
  const database = await startDatabase(dataDir, { named });
  // Not before: the start signs in as both roles.
  await asked(database.databaseUrl, "DROP ROLE soundpost_app");
  return database;
}

/** Asks a database as the role in its address. */
export async function asked(url: string, text: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

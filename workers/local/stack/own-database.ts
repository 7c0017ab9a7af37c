import pg from "pg";
import { newClient } from "../../../db/connection.ts";
import { APP_ROLE } from "../postgres/cluster.ts";
import { OLDEST_POSTGRES } from "../postgres/installations.ts";
import type { OwnDatabase } from "./own-parts.ts";

const CONNECT_MS = 10_000;

/** PostgreSQL, appendix A. */
const WRONG_PASSWORD = ["28P01", "28000"];

/** Checks the operator's database and makes the service's role, if it has none. Returns both addresses. */
export async function prepareDatabase(
  { ownerUrl, appUrl }: OwnDatabase,
  appPassword: string,
): Promise<{ databaseUrl: string; appDatabaseUrl: string }> {
  const owner = await connect(ownerUrl);
  try {
    const faults = await databaseFaults(owner);
    if (faults.length) throw new Error(faults.join("\n"));
    const appDatabaseUrl = appUrl ?? asApp(ownerUrl, appPassword);
    if (!appUrl) await makeRole(owner, appPassword);
    await (await connect(appDatabaseUrl)).end();
    return { databaseUrl: ownerUrl, appDatabaseUrl };
  } finally {
    await owner.end();
  }
}

/** Returns what the database lacks, in sentences. */
export async function databaseFaults(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ version: string; number: number; encoding: string; creates: boolean }>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
      current_setting('server_encoding') AS encoding,
      has_database_privilege(current_database(), 'CREATE') AND has_schema_privilege('public', 'CREATE') AS creates`,
  );
  const [{ version, number, encoding, creates } = { version: "", number: 0, encoding: "", creates: false }] =
    rows;
  const role = owner.user ?? "this role";
  return [
    ...(Math.floor(number / 10_000) < OLDEST_POSTGRES
      ? [
          `The database runs PostgreSQL ${version}. Soundpost needs ${OLDEST_POSTGRES} or newer: upgrade it, or unset DATABASE_URL.`,
        ]
      : []),
    ...(encoding === "UTF8"
      ? []
      : [`The database is encoded in ${encoding}. Create one with ENCODING 'UTF8'.`]),
    ...(creates
      ? []
      : [
          `${role} may not create tables in the database. Make it the owner: ALTER DATABASE ${owner.database} OWNER TO ${role}`,
        ]),
  ];
}

function asApp(ownerUrl: string, password: string): string {
  const url = new URL(ownerUrl);
  url.username = APP_ROLE;
  url.password = password;
  return url.href;
}

/** The service has a role of its own, which cannot change tables. Statements that run away end after seconds. */
async function makeRole(owner: pg.Client, password: string): Promise<void> {
  const { rowCount } = await owner.query("SELECT FROM pg_roles WHERE rolname = $1", [APP_ROLE]);
  if (rowCount) return;
  const limits = ["statement_timeout", "idle_in_transaction_session_timeout"];
  const statements = [
    `CREATE ROLE ${APP_ROLE} LOGIN PASSWORD ${pg.escapeLiteral(password)}`,
    ...limits.map((limit) => `ALTER ROLE ${APP_ROLE} SET ${limit} = '5s'`),
  ];
  try {
    await owner.query(`BEGIN; ${statements.join("; ")}; COMMIT`);
  } catch {
    throw new Error(
      `${owner.user} may not create the service's role. As a superuser run ` +
        `CREATE ROLE ${APP_ROLE} LOGIN PASSWORD '…'; then put its address into DATABASE_URL, and the owner's into MIGRATOR_DATABASE_URL.`,
    );
  }
}

export async function connect(url: string): Promise<pg.Client> {
  const client = newClient({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    const { code = "", message } = error as { code?: string; message: string };
    const { hostname, port } = new URL(url);
    const place = `The database at ${hostname}:${port || 5432}`;
    if (WRONG_PASSWORD.includes(code) && client.user === APP_ROLE)
      throw new Error(
        `${place} has a role ${APP_ROLE} with a password that is not in DATA_DIR/secrets.json. ` +
          "Put its address into DATABASE_URL, and the owner's into MIGRATOR_DATABASE_URL.",
      );
    throw new Error(`${place} refuses: ${message || code}. See DATABASE_URL.`, { cause: error });
  }
}

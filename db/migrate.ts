import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { applyFunctions, pruneFunctions } from "./apply-functions.ts";
import { applyStoredSelects, pruneStoredSelects } from "./apply-stored-selects.ts";
import { newClient } from "./connection.ts";
import { beginDeploy } from "./deploys.ts";
import { STORED_SELECTS } from "./queries/stored-selects.ts";

const MIGRATIONS_DIR = join(import.meta.dirname, "migrations");

/** An arbitrary number that all runners share, so that two deploys take turns. */
const ADVISORY_LOCK = 7_683_251;

/** Short, because every later statement queues behind one that waits for a lock on a table. Retries are cheaper. */
const LOCK_TIMEOUT = "2s";
const LOCK_ATTEMPTS = 10;
/**
 * Longer than any statement of the service. A concurrent index build waits for all running statements, and blocks
 * none.
 */
const CONCURRENT_LOCK_TIMEOUT = "3min";
/** PostgreSQL, appendix A: a lock was not available in time, or two transactions waited for each other. */
const HELD_UP = ["55P03", "40P01"];

const BASELINE = "0000_baseline.sql";
/** The last migration before all of them became one baseline. A database that has it has the baseline's tables. */
const LAST_BEFORE_BASELINE = "0038_track_documents.sql";

/** Drizzle-kit's line between the statements of a file. */
const BREAKPOINT = "--> statement-breakpoint";

/** Privileges of the service, which cannot change the schema. */
const GRANTS = `
ALTER DEFAULT PRIVILEGES GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO soundpost_app;
ALTER DEFAULT PRIVILEGES GRANT USAGE, SELECT ON SEQUENCES TO soundpost_app;
ALTER DEFAULT PRIVILEGES GRANT EXECUTE ON FUNCTIONS TO soundpost_app;
GRANT USAGE ON SCHEMA stored TO soundpost_app;`;

/** The same for tables that were loaded from an export, which names no roles. */
const GRANTS_ON_LOADED = `
DO $$
DECLARE one record;
BEGIN
  IF EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relowner = current_user::regrole
    AND relkind = 'r' AND has_table_privilege('soundpost_app', oid, 'SELECT')) THEN RETURN; END IF;
  FOR one IN SELECT oid::regclass AS name, relkind FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relowner = current_user::regrole AND relkind IN ('r', 'v', 'S')
  LOOP
    EXECUTE format(CASE one.relkind WHEN 'S' THEN 'GRANT USAGE, SELECT ON SEQUENCE %s TO soundpost_app'
      ELSE 'GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO soundpost_app' END, one.name);
  END LOOP;
END $$;`;

type Migration = { name: string; sql: string; checksum: string };

type MigrateOptions = {
  url: string;
  log?: (line: string) => void;
  directory?: string;
  functions?: string;
  /**
   * Set during a deploy, when older Workers still run. Functions that only they call then survive until a deploy after
   * this one has ended well.
   */
  besideOlderWorkers?: boolean;
  /**
   * Refuses a database that a newer version has migrated, before anything changes. A rollback skips this check,
   * because the newer migrations tolerate older code.
   */
  refuseNewer?: boolean;
};

/**
 * Applies new migrations in order of name, then changed functions. Returns the number of migrations. Needs a direct
 * connection, because advisory locks do not survive a pooler.
 */
export async function migrate({
  url,
  log = () => {},
  directory = MIGRATIONS_DIR,
  functions,
  besideOlderWorkers = false,
  refuseNewer = false,
}: MigrateOptions): Promise<number> {
  const client = newClient({ connectionString: url });
  await client.connect();
  try {
    await takeTurn(client);
    await prepare(client);
    const migrations = read(directory);
    await adoptBaseline(client, migrations);
    const fresh = await unapplied(client, migrations);
    if (refuseNewer) await refuseNewerDatabase(client, migrations);
    await client.query(`SET lock_timeout = '${LOCK_TIMEOUT}'`);
    const isNew = fresh.length === migrations.length;
    if (isNew) log(`Migrations: ${fresh.length} in a new database`);
    for (const migration of fresh) {
      if (!isNew) log(`Migration ${migration.name}`);
      await withRetries(() => apply(client, migration));
    }
    if (besideOlderWorkers) await withRetries(() => beginDeploy(client));
    const changed = await withRetries(() => applyFunctions(client, functions, besideOlderWorkers));
    if (directory === MIGRATIONS_DIR)
      await withRetries(() =>
        applyStoredSelects(
          client,
          STORED_SELECTS.map(({ made }) => made),
        ),
      );
    if (!besideOlderWorkers) {
      await withRetries(() => pruneFunctions(client));
      await withRetries(() => pruneStoredSelects(client));
    }
    if (changed > 0) log(`Functions: ${changed} applied`);
    return fresh.length;
  } finally {
    await client.end();
  }
}

/**
 * Polls for the lock. A session that waits inside a statement would deadlock with another's CREATE INDEX CONCURRENTLY.
 */
async function takeTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query("SELECT pg_try_advisory_lock($1) AS ours", [ADVISORY_LOCK]);
    if (rows[0].ours) return;
    await sleep(200);
  }
}

const read = (directory: string): Migration[] =>
  readdirSync(directory)
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => {
      const sql = readFileSync(join(directory, name), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    });

async function prepare(client: pg.Client): Promise<void> {
  // The service has no access to this schema.
  await client.query("CREATE SCHEMA IF NOT EXISTS ledger");
  await client.query(`CREATE TABLE IF NOT EXISTS ledger.migrations
    (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
  await client.query("CREATE SCHEMA IF NOT EXISTS stored");
  const { rowCount } = await client.query("SELECT FROM pg_roles WHERE rolname = 'soundpost_app'");
  if (rowCount) await client.query(GRANTS + GRANTS_ON_LOADED);
}

/** Records the baseline in place of the migrations that became it. */
async function adoptBaseline(client: pg.Client, migrations: Migration[]): Promise<void> {
  const baseline = migrations.find(({ name }) => name === BASELINE);
  await client.query(
    `WITH former AS (DELETE FROM ledger.migrations WHERE name <> $1 AND EXISTS
      (SELECT FROM ledger.migrations WHERE name = $2) RETURNING name)
    UPDATE ledger.migrations SET checksum = $3 WHERE name = $1 AND $2 IN (SELECT name FROM former)`,
    [BASELINE, LAST_BEFORE_BASELINE, baseline?.checksum],
  );
}

async function refuseNewerDatabase(client: pg.Client, migrations: Migration[]): Promise<void> {
  const known = new Set(migrations.map(({ name }) => name));
  const { rows } = await client.query<{ name: string }>("SELECT name FROM ledger.migrations ORDER BY name");
  const newer = rows.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  if (newer.length)
    throw new Error(
      `The database belongs to a newer version, which applied ${newer.join(", ")}. Nothing was changed. ` +
        "Start that version, or restore a backup from before the upgrade into another DATA_DIR.",
    );
}

/** Names migrations that the database lacks. Changes nothing. */
export async function unappliedMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query("SELECT to_regclass('ledger.migrations') IS NOT NULL AS found");
  const all = read(MIGRATIONS_DIR);
  return (rows[0].found ? await unapplied(client, all) : all).map(({ name }) => name);
}

async function unapplied(client: pg.Client, migrations: Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    "SELECT name, checksum FROM ledger.migrations",
  );
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  if (applied.has(LAST_BEFORE_BASELINE)) return migrations.filter(({ name }) => name !== BASELINE);
  const changed = migrations.find(({ name, checksum }) => ![undefined, checksum].includes(applied.get(name)));
  if (changed?.name === BASELINE)
    throw new Error(
      "The database is older than the baseline of migrations. Start a version from 28 November 2026 on it once, then this one",
    );
  if (changed)
    throw new Error(`Migration ${changed.name} changed after it was applied: write a new one instead`);
  return migrations.filter(({ name }) => !applied.has(name));
}

/**
 * Applies one file. Outside a transaction (`CREATE INDEX CONCURRENTLY`) its parts are sent one by one, and must tolerate a
 * second run.
 */
async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  const alone = /^-- no transaction\b/.test(sql);
  const record = () =>
    client.query("INSERT INTO ledger.migrations (name, checksum) VALUES ($1, $2)", [name, checksum]);
  try {
    if (!alone) await client.query("BEGIN");
    if (alone) await sendParts(client, sql.split(BREAKPOINT));
    else await client.query(sql);
    await record();
    if (!alone) await client.query("COMMIT");
  } catch (error) {
    if (!alone) await client.query("ROLLBACK");
    throw Object.assign(new Error(`Migration ${name}: ${(error as Error).message}`, { cause: error }), {
      code: (error as { code?: string }).code,
    });
  }
}

async function sendParts(client: pg.Client, parts: string[]): Promise<void> {
  const waitAtMost = (timeout: string) => client.query(`SET lock_timeout = '${timeout}'`);
  for (const part of parts) {
    if (/\bCONCURRENTLY\b/i.test(part)) await waitAtMost(CONCURRENT_LOCK_TIMEOUT);
    await client.query(part).finally(() => waitAtMost(LOCK_TIMEOUT));
  }
}

async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!HELD_UP.includes((error as { code?: string }).code ?? "") || attempt === LOCK_ATTEMPTS)
        throw error;
      await sleep(attempt * 500);
    }
  }
}

if (import.meta.main) {
  const url = process.env.MIGRATOR_DATABASE_URL;
  if (!url) {
    console.error("Set MIGRATOR_DATABASE_URL to the owner's direct Postgres address (not the pooled one)");
    process.exit(1);
  }
  try {
    const count = await migrate({ url, log: console.log });
    console.log(count === 0 ? "The database is up to date" : `${count} applied`);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

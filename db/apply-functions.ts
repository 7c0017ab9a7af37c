import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type pg from "pg";

const FUNCTIONS_DIR = join(import.meta.dirname, "functions");

/**
 * Reads every file. A file creates the function it is named for; a trigger function's file also creates its triggers.
 */
const read = (directory: string) =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".sql"))
    .map((path) => {
      const sql = readFileSync(join(directory, path), "utf8");
      return { name: basename(path, ".sql"), sql, checksum: createHash("sha256").update(sql).digest("hex") };
    });

const LEDGER = `CREATE TABLE IF NOT EXISTS ledger.functions
  (name text PRIMARY KEY, signature regprocedure NOT NULL, checksum text NOT NULL, retired boolean NOT NULL DEFAULT false)`;

/** Lists the applied functions. A retired trigger function keeps its row until `pruneFunctions`. */
const APPLIED = "SELECT f.name, f.checksum FROM ledger.functions f JOIN pg_proc p ON p.oid = f.signature";

/** Records the functions of `pg_proc` that this transaction wrote. */
const RECORD = `
  INSERT INTO ledger.functions (name, signature, checksum)
  SELECT proname, oid, coalesce($1::jsonb->>proname, '') FROM pg_proc WHERE xmin = pg_current_xact_id()::xid
  ON CONFLICT (name) DO UPDATE SET signature = excluded.signature, checksum = excluded.checksum
  RETURNING checksum`;

const RETIRE = "UPDATE ledger.functions SET retired = name <> ALL ($1)";

/** Lists triggers that their file no longer has. Running a file recreates all of its triggers. */
const STALE_TRIGGERS = `
  SELECT format('DROP TRIGGER %I ON %s', t.tgname, t.tgrelid::regclass) AS drop FROM pg_trigger t
  JOIN ledger.functions f ON f.signature = t.tgfoid AND f.name = ANY ($1) WHERE t.xmin <> pg_current_xact_id()::xid`;

/** Lists superseded signatures that defaults make ambiguous. PostgreSQL refuses a call that fits both. */
const AMBIGUOUS = `
  SELECT format('DROP FUNCTION %s', old.oid::regprocedure) AS drop
  FROM ledger.functions f JOIN pg_proc new ON new.oid = f.signature JOIN pg_proc old ON old.proname = f.name AND old.oid <> new.oid,
    greatest(old.pronargs - old.pronargdefaults, new.pronargs - new.pronargdefaults) AS needed
  WHERE needed <= least(old.pronargs, new.pronargs)
    AND (ARRAY(SELECT unnest(old.proargtypes)))[:needed] = (ARRAY(SELECT unnest(new.proargtypes)))[:needed]`;

/** Lists superseded signatures and retired functions. Dropping a trigger function drops its triggers. */
const OBSOLETE = `
  SELECT format('DROP FUNCTION %s%s', p.oid::regprocedure, CASE WHEN p.prorettype = 'trigger'::regtype THEN ' CASCADE' END) AS drop
  FROM pg_proc p JOIN ledger.functions f ON f.name = p.proname WHERE p.oid <> f.signature OR f.retired`;

/** Lists retired trigger functions. No Worker calls them, and both they and their replacements would act. */
const RETIRED_TRIGGERS = `
  SELECT format('DROP FUNCTION %s CASCADE', p.oid::regprocedure) AS drop
  FROM pg_proc p JOIN ledger.functions f ON f.name = p.proname WHERE f.retired AND p.prorettype = 'trigger'::regtype`;

/** Lists functions by name. A drop fails if anything depends on one, such as a trigger. */
const NAMED = `
  SELECT 'DROP FUNCTION ' || oid::regprocedure AS drop FROM pg_proc
  WHERE proname = ANY ($1) AND pronamespace = 'public'::regnamespace`;

/** `CREATE OR REPLACE` cannot rename parameters or change the return type. Codes: PostgreSQL, appendix A. */
const NOT_REPLACEABLE = "42P13";

/**
 * Applies every changed file in one transaction and returns their number. Functions that only older Workers call stay
 * until `pruneFunctions`, unless they would make a call ambiguous. Beside older Workers, one that cannot be replaced is
 * refused, because they still call it.
 */
export async function applyFunctions(
  client: pg.Client,
  directory = FUNCTIONS_DIR,
  besideOlderWorkers = false,
): Promise<number> {
  const anew: string[] = [];
  for (;;) {
    try {
      return await applyChanged(client, directory, anew);
    } catch (error) {
      const { code, functionName } = error as { code?: string; functionName?: string };
      if (code !== NOT_REPLACEABLE || !functionName || besideOlderWorkers || anew.includes(functionName))
        throw error;
      anew.push(functionName);
    }
  }
}

/** Drops the functions of `anew` first. A savepoint would not do, because `RECORD` finds rows by their transaction. */
const applyChanged = (client: pg.Client, directory: string, anew: string[]): Promise<number> =>
  inTransaction(client, async () => {
    await client.query(LEDGER);
    const { rows } = await client.query(APPLIED);
    const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]));
    const files = read(directory);
    const changed = files.filter(({ name, checksum }) => applied.get(name) !== checksum);
    await dropAll(client, NAMED, [anew]);
    // Function bodies may refer to functions that are created later.
    await client.query("SET LOCAL check_function_bodies = off");
    for (const { name, sql } of changed) await client.query(sql).catch((error) => rethrow(name, error));
    const checksums = Object.fromEntries(changed.map(({ name, checksum }) => [name, checksum]));
    const made = (await client.query<{ checksum: string }>(RECORD, [JSON.stringify(checksums)])).rows;
    if (made.length !== changed.length || made.some(({ checksum }) => !checksum))
      throw new Error("A file of db/functions does not make exactly the function that it is named for");
    await dropAll(client, STALE_TRIGGERS, [Object.keys(checksums)]);
    await dropAll(client, AMBIGUOUS);
    await client.query(RETIRE, [files.map(({ name }) => name)]);
    await dropAll(client, RETIRED_TRIGGERS);
    return changed.length;
  });

/** Drops functions that the last `applyFunctions` superseded or retired. Safe once no older Worker runs. */
export const pruneFunctions = (client: pg.Client): Promise<number> =>
  inTransaction(client, async () => {
    await client.query(LEDGER);
    const dropped = await dropAll(client, OBSOLETE);
    await client.query("DELETE FROM ledger.functions WHERE retired");
    return dropped;
  });

async function dropAll(client: pg.Client, which: string, parameters: unknown[] = []): Promise<number> {
  const { rows } = await client.query<{ drop: string }>(which, parameters);
  for (const { drop } of rows) await client.query(drop);
  return rows.length;
}

function rethrow(name: string, cause: Error): never {
  throw Object.assign(new Error(`Function ${name}: ${cause.message}`, { cause }), {
    functionName: name,
    code: (cause as { code?: string }).code,
  });
}

async function inTransaction<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  await client.query("BEGIN");
  try {
    const result = await work();
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}

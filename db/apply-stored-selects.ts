import type pg from "pg";
import type { Made } from "./stored-select.ts";

type Stored = Omit<Made<unknown>, "toRows">;

const PREPARED =
  "SELECT result_types::text[] AS types FROM pg_prepared_statements WHERE name = 'select_to_store'";

const EXISTING = `
  SELECT proname AS name, pg_get_function_result(oid) AS result FROM pg_proc WHERE pronamespace = 'stored'::regnamespace`;

/** Notes on functions that only Workers of an earlier version call. */
const RETIRED = "retired";

const OBSOLETE = `
  SELECT oid::regprocedure AS function FROM pg_proc
  WHERE pronamespace = 'stored'::regnamespace AND obj_description(oid, 'pg_proc') = '${RETIRED}'`;

/**
 * Makes a function of each stored select, in one transaction. All parameters share one plan: PostgreSQL assumes ten
 * ids in an unknown array, and would plan again for a single id. Names hold hashes, so an existing function is up to
 * date unless a migration changed the type of a column.
 */
export async function applyStoredSelects(client: pg.Client, all: readonly Stored[]): Promise<void> {
  await client.query("BEGIN");
  try {
    const existing = (await client.query<{ name: string; result: string }>(EXISTING)).rows;
    for (const select of all) {
      const result = await resultOf(client, select);
      const made = existing.find(({ name }) => name === select.name);
      if (made?.result === result) continue;
      if (made) await client.query(`DROP FUNCTION stored.${select.name}`);
      await client.query(`CREATE FUNCTION stored.${select.name}(${select.types}) RETURNS ${result} LANGUAGE plpgsql STABLE
        ROWS 50 SET plan_cache_mode = force_generic_plan AS $stored$ BEGIN RETURN QUERY ${select.text}; END $stored$`);
    }
    const called = new Set(all.map(({ name }) => name));
    for (const { name } of existing)
      await client.query(
        `COMMENT ON FUNCTION stored.${name} IS ${called.has(name) ? "NULL" : `'${RETIRED}'`}`,
      );
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}

/** Drops the functions of earlier versions. Safe once none of their Workers runs. */
export async function pruneStoredSelects(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ function: string }>(OBSOLETE);
  for (const obsolete of rows) await client.query(`DROP FUNCTION ${obsolete.function}`);
}

/** PostgreSQL knows the types of a select's columns. */
async function resultOf(client: pg.Client, { name, text, columns }: Stored): Promise<string> {
  await client.query(`PREPARE select_to_store AS ${text}`).catch((cause) => {
    throw new Error(`Stored select ${name}: ${cause.message}`, { cause });
  });
  const { rows } = await client.query<{ types: string[] }>(PREPARED);
  await client.query("DEALLOCATE select_to_store");
  return `TABLE(${rows[0]?.types.map((type, at) => `${columns[at]} ${type}`).join(", ")})`;
}

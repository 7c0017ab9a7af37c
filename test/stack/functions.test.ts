import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endDeploy, reopenDeploy } from "../../db/deploys.ts";
import { migrate } from "../../db/migrate.ts";
import { PROJECT_DIR } from "../support/structure.ts";
import { startDatabase } from "./database.ts";
import { refusedStatements } from "./function-statements.support.ts";
import { startMigratedDatabase } from "./migrated-database.ts";

const FUNCTIONS = join(PROJECT_DIR, "db/functions");
const MIGRATIONS = join(PROJECT_DIR, "db/migrations");

let database: Awaited<ReturnType<typeof startMigratedDatabase>>;
let owner: pg.Client;

beforeAll(async () => {
  database = await startMigratedDatabase();
  owner = database.client;
});
afterAll(() => database?.stop());

const files = readdirSync(FUNCTIONS, { recursive: true, encoding: "utf8" }).filter((path) =>
  path.endsWith(".sql"),
);
const names = files.map((path) => basename(path, ".sql")).sort();
const ofTables = readdirSync(MIGRATIONS)
  .filter((name) => name.endsWith(".sql"))
  .flatMap((name) => [...readFileSync(join(MIGRATIONS, name), "utf8").matchAll(/^CREATE FUNCTION (\w+)/gm)])
  .map(([, name]) => name as string);

async function functionsOf<Row>(columns: string, only = "true"): Promise<Row[]> {
  const from = "pg_proc WHERE pronamespace = 'public'::regnamespace";
  return (await owner.query(`SELECT ${columns} FROM ${from} AND ${only} ORDER BY proname COLLATE "C"`)).rows;
}

test("the database has exactly the functions of db/functions and of the tables, each once", async () => {
  const rows = await functionsOf<{ proname: string }>("proname");
  expect(rows.map(({ proname }) => proname)).toEqual([...names, ...ofTables].sort());
});

test("the body of every function has valid syntax, and of those in SQL valid tables, columns and calls", async () => {
  await owner.query("BEGIN; SET LOCAL check_function_bodies = on");
  for (const path of files) await owner.query(readFileSync(join(FUNCTIONS, path), "utf8"));
  await owner.query("ROLLBACK");
});

test("every statement in PL/pgSQL names tables, columns, and functions with their parameters and replies, that exist", async () => {
  // Two functions of the sandbox make these tables before they read them.
  await owner.query(
    "CREATE SCHEMA snapshot; CREATE TABLE snapshot.uploads (LIKE uploads); CREATE TEMP TABLE operators_now (LIKE operators)",
  );
  expect(await refusedStatements(owner, database.dataDir)).toEqual([]);
});

test("a statement is refused that calls a function with other parameters, or reads what a reply lacks", async () => {
  await owner.query(`
    CREATE FUNCTION sample_caller(p_user bigint) RETURNS json LANGUAGE plpgsql AS $$
    DECLARE
      attempt record;
      owner users;
    BEGIN
      SELECT * INTO attempt FROM take_attempt('{}', '{}', '{}');
      SELECT * INTO owner FROM users u WHERE u.id = p_user AND u.no_column;
      IF attempt.no_reply THEN
        PERFORM mini_user(p_user, 2);
      END IF;
      RETURN own_app_row(attempt.wait);
    END $$`);
  try {
    expect(await refusedStatements(owner, database.dataDir, "^sample_caller$")).toEqual(
      [
        "column u.no_column does not exist: SELECT *",
        'missing FROM-clause entry for table "attempt": SELECT attempt.no_reply',
        "function mini_user(bigint, integer) does not exist: SELECT mini_user(p_user, 2)",
        "function own_app_row(integer) does not exist: SELECT own_app_row(attempt.wait)",
      ].map((refusal) => expect.stringContaining(`sample_caller: ${refusal}`)),
    );
  } finally {
    await owner.query("DROP FUNCTION sample_caller");
  }
});

test("a branch for one table is read with the columns of that table alone", async () => {
  await owner.query(`
    CREATE FUNCTION sample_trigger() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      CASE TG_TABLE_NAME
        WHEN 'users' THEN PERFORM new.username, new.no_name;
        WHEN 'tracks' THEN IF new.streamable THEN PERFORM new.username; END IF;
      END CASE;
      RETURN mini_user(new.id, 2);
    END $$;
    CREATE TRIGGER sample AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION sample_trigger();
    CREATE TRIGGER sample AFTER INSERT ON tracks FOR EACH ROW EXECUTE FUNCTION sample_trigger();`);
  try {
    const refused = await refusedStatements(owner, database.dataDir, "^sample_trigger$");
    expect(refused.sort()).toEqual(
      [
        "function mini_user(bigint, integer) does not exist: SELECT mini_user(new.id, 2)",
        'missing FROM-clause entry for table "new": SELECT new.username',
        'missing FROM-clause entry for table "new": SELECT new.username, new.no_name',
      ].map((refusal) => expect.stringContaining(`sample_trigger: ${refusal}`)),
    );
  } finally {
    await owner.query("DROP FUNCTION sample_trigger CASCADE");
  }
});

test("every function is called from TypeScript, a trigger or a table", async () => {
  const rows = await functionsOf<{ proname: string; prosrc: string; trigger: boolean }>(
    "proname, prosrc, prorettype = 'trigger'::regtype AS trigger",
  );
  const bodies = new Map(rows.map(({ proname, prosrc }) => [proname, new Set(prosrc.match(/\w+/g))]));
  const typescript = ["db", "functions", "workers"].flatMap((folder) =>
    readdirSync(join(PROJECT_DIR, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .map((path) => readFileSync(join(PROJECT_DIR, folder, path), "utf8")),
  );
  const named = new Set(typescript.join("\n").match(/\w+/g));
  const reached = new Set<string>();
  const visit = (name: string) => {
    if (reached.has(name)) return;
    reached.add(name);
    for (const other of bodies.get(name) ?? []) if (bodies.has(other)) visit(other);
  };
  for (const { proname, trigger } of rows) {
    if (trigger || named.has(proname) || ofTables.includes(proname)) visit(proname);
  }
  expect(rows.map(({ proname }) => proname).filter((name) => !reached.has(name))).toEqual([]);
});

test("every function that TypeScript evaluates returns a value, so that its deadline can be checked", async () => {
  const rows = await functionsOf<{ proname: string }>("proname", "prorettype = 'void'::regtype");
  const queries = readdirSync(join(PROJECT_DIR, "db/queries"))
    .map((path) => readFileSync(join(PROJECT_DIR, "db/queries", path), "utf8"))
    .join("\n");
  const evaluated = rows.filter(({ proname }) => new RegExp(`"${proname}"|sql\`${proname}\\(`).test(queries));
  expect(evaluated).toEqual([]);
});

test("a changed text is applied again; an older Worker's functions stay until a deploy follows one that ended well, unless calls were ambiguous; its triggers go at once, and come back with their file", async () => {
  const directory = mkdtempSync(join(tmpdir(), "soundpost-migrations-"));
  const functions = mkdtempSync(join(tmpdir(), "soundpost-functions-"));
  const write = (name: string, parameters: string, body: string) =>
    writeFileSync(
      join(functions, `${name}.sql`),
      `CREATE OR REPLACE FUNCTION ${name}(${parameters}) RETURNS int LANGUAGE sql AS $$ SELECT ${body} $$;\n`,
    );
  const made = async () =>
    (
      await functionsOf<{ signature: string }>("oid::regprocedure::text AS signature", "proname ~ '^sample_'")
    ).map(({ signature }) => signature);
  const fresh = await startDatabase();
  const before = owner;
  owner = new pg.Client({ connectionString: fresh.databaseUrl });
  await owner.connect();
  try {
    const url = fresh.databaseUrl;
    const begin = () => migrate({ url, directory, functions, besideOlderWorkers: true });
    const deploy = async () => {
      await begin();
      await endDeploy(url);
    };
    write("sample_a", "", "sample_b(1)");
    write("sample_b", "p int", "p");
    write("sample_d", "p int, q int", "p + q");
    await owner.query("CREATE TABLE samples (n int)");
    writeFileSync(
      join(functions, "note_sample.sql"),
      `CREATE OR REPLACE FUNCTION note_sample() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';
      CREATE OR REPLACE TRIGGER noted BEFORE INSERT ON samples FOR EACH ROW EXECUTE FUNCTION note_sample();`,
    );
    await deploy();
    write("sample_a", "", "sample_b(1, 2) + sample_d(3, 4)");
    write("sample_b", "p int, q int", "p + q");
    write("sample_c", "", "1");
    write("sample_d", "p int, q int, r int DEFAULT 5", "p + q + r");
    await deploy();
    expect(await made()).toEqual([
      "sample_a()",
      "sample_b(integer)",
      "sample_b(integer,integer)",
      "sample_c()",
      "sample_d(integer,integer,integer)",
    ]);
    expect((await owner.query("SELECT sample_a() AS sum")).rows).toEqual([{ sum: 15 }]);
    await reopenDeploy(url);
    await begin();
    await begin();
    expect(await made()).toContain("sample_b(integer)");
    await endDeploy(url);
    const triggers = async () =>
      (await owner.query("SELECT FROM pg_trigger WHERE tgname = 'noted'")).rowCount;
    const file = join(functions, "note_sample.sql");
    const text = readFileSync(file, "utf8");
    rmSync(file);
    await begin();
    expect(await triggers()).toBe(0);
    // Taken back before it has ended well.
    writeFileSync(file, text);
    await deploy();
    expect(await triggers()).toBe(1);
    for (const gone of ["sample_c", "sample_d", "note_sample"]) rmSync(join(functions, `${gone}.sql`));
    write("sample_a", "", "sample_b(1, 2)");
    await deploy();
    expect(await made()).toEqual([
      "sample_a()",
      "sample_b(integer,integer)",
      "sample_c()",
      "sample_d(integer,integer,integer)",
    ]);
    expect(await triggers()).toBe(0);
    await deploy();
    expect(await made()).toEqual(["sample_a()", "sample_b(integer,integer)"]);
    writeFileSync(
      join(functions, "other.sql"),
      "CREATE FUNCTION sample_e() RETURNS int LANGUAGE sql AS 'SELECT 1';",
    );
    await expect(deploy()).rejects.toThrow("does not make exactly the function that it is named for");
    expect(await made()).toHaveLength(2);
  } finally {
    await owner.end();
    owner = before;
    await fresh.stop();
    for (const folder of [directory, functions]) rmSync(folder, { recursive: true });
  }
});

test("a parameter of another name or a new return type is taken where no older Worker runs, and refused beside one", async () => {
  const directory = mkdtempSync(join(tmpdir(), "soundpost-migrations-"));
  const functions = mkdtempSync(join(tmpdir(), "soundpost-functions-"));
  const write = (name: string, text: string) =>
    writeFileSync(join(functions, `${name}.sql`), `CREATE OR REPLACE FUNCTION ${name}${text}\n`);
  const fresh = await startDatabase();
  const client = new pg.Client({ connectionString: fresh.databaseUrl });
  const service = new pg.Client({ connectionString: fresh.appDatabaseUrl });
  const upgrade = (besideOlderWorkers = false) =>
    migrate({ url: fresh.databaseUrl, directory, functions, besideOlderWorkers });
  try {
    for (const one of [client, service]) await one.connect();
    await client.query("CREATE TABLE samples (n int)");
    write("sample_a", "(p_old int) RETURNS int LANGUAGE sql AS 'SELECT p_old'");
    write("sample_b", "() RETURNS int LANGUAGE sql AS 'SELECT sample_a(p_old => 1)'");
    write(
      "sample_t",
      "() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN new.n := sample_a(new.n); RETURN new; END $$;\n" +
        "CREATE OR REPLACE TRIGGER doubled BEFORE INSERT ON samples FOR EACH ROW EXECUTE FUNCTION sample_t();",
    );
    await upgrade();
    write("sample_a", "(p_new int) RETURNS int LANGUAGE sql AS 'SELECT 2 * p_new'");
    write("sample_b", "() RETURNS bigint LANGUAGE sql AS 'SELECT sample_a(p_new => 5)::bigint'");
    await expect(upgrade(true)).rejects.toThrow("Function sample_a: cannot change name of input parameter");
    expect((await client.query("SELECT sample_b() AS n")).rows).toEqual([{ n: 1 }]);
    await upgrade();
    expect((await service.query("SELECT sample_b() AS n")).rows).toEqual([{ n: "10" }]);
    expect((await client.query("INSERT INTO samples VALUES (4) RETURNING n")).rows).toEqual([{ n: 8 }]);
    expect(await upgrade()).toBe(0);
    const named = "SELECT name FROM ledger.functions ORDER BY name";
    expect((await client.query(named)).rows.map(({ name }) => name)).toEqual([
      "sample_a",
      "sample_b",
      "sample_t",
    ]);
  } finally {
    for (const one of [client, service]) await one.end();
    await fresh.stop();
    for (const folder of [directory, functions]) rmSync(folder, { recursive: true });
  }
});

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { migrate } from "../../db/migrate.ts";
import { readArguments } from "../../workers/admin/arguments.ts";
import { databaseCommands } from "../../workers/admin/database/database-commands.ts";
import { exportDatabase } from "../../workers/admin/database/export.ts";
import { connect, prepareDatabase } from "../../workers/local/stack/own-database.ts";
import { fillDataDir } from "../support/data-dir.ts";
import { requirePackage, succeeds } from "../support/debian.ts";
import { POSTGRES_17 } from "../support/postgres-17.ts";
import { PROJECT_DIR } from "../support/structure.ts";
import { startDatabase } from "./database.ts";
import { asked, startManagedDatabase } from "./managed-database.ts";
import { contentsOf, ODD_ROWS } from "./moved-database.support.ts";
import { nothingRuns, temporaryDataDir } from "./npm-start.ts";

const run = promisify(execFile);
const place = mkdtempSync(join(tmpdir(), "soundpost-export-"));
const dataDir = temporaryDataDir();
let original: Awaited<ReturnType<typeof contentsOf>>;

beforeAll(async () => {
  const purpose = "psql, which loads what was exported";
  await requirePackage("postgresql-client", { purpose, isInstalled: () => succeeds("psql", "--version") });
  await fillDataDir(dataDir);
  const database = await startDatabase(dataDir);
  await asked(database.databaseUrl, ODD_ROWS);
  original = await contentsOf(database.databaseUrl);
  await database.stop({ keepData: true });
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => {
  for (const directory of [place, dataDir]) rmSync(directory, { recursive: true, force: true });
});

async function exported(name: string, settings: Record<string, string> = {}) {
  for (const [key, text] of Object.entries({ DATA_DIR: dataDir, ...settings })) vi.stubEnv(key, text);
  const file = join(place, name);
  const given = readArguments(["export-database", "--to", file]);
  const reply = (await databaseCommands["export-database"]?.(given)) ?? expect.fail("No such command");
  vi.unstubAllEnvs();
  return { file, reply };
}

/** Loads it as the head of the file says. */
const load = (file: string, url: string) => run("psql", ["--set", "ON_ERROR_STOP=1", "--file", file, url]);

test("what a server exports loads into a provider's PostgreSQL 17, serves there, and comes back", async () => {
  const { file, reply } = await exported("embedded.sql");
  const rows = Object.values(original.tables).reduce((sum, table) => sum + table.rows, 0);
  expect(reply).toEqual({ exported: file, tables: Object.keys(original.tables).length, rows });
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const theirs = await startManagedDatabase(POSTGRES_17);
  expect((await load(file, theirs.databaseUrl)).stderr).toBe("");
  const loaded = await contentsOf(theirs.databaseUrl);
  expect(loaded).toEqual({ ...original, major: 17, next: expect.any(Number) });
  expect(loaded.next).toBeGreaterThanOrEqual(original.next);
  const own = { ownerUrl: theirs.databaseUrl, appUrl: undefined };
  const { appDatabaseUrl } = await prepareDatabase(own, "a-password-of-the-service");
  expect(await migrate({ url: theirs.databaseUrl, refuseNewer: true })).toBe(0);
  const graz = "UPDATE users SET city = 'Graz' WHERE permalink = 'u1' RETURNING city";
  expect(await asked(appDatabaseUrl, graz)).toEqual([{ city: "Graz" }]);
  await asked(theirs.databaseUrl, "UPDATE users SET city = NULL WHERE permalink = 'u1'");

  const back = await exported("theirs.sql", { DATABASE_URL: theirs.databaseUrl });
  await theirs.stop();
  const fresh = await startDatabase();
  await load(back.file, fresh.databaseUrl);
  const returned = await contentsOf(fresh.databaseUrl);
  await fresh.stop();
  expect(returned.major).toBe(18);
  expect(returned.objects).toEqual(original.objects);
  expect(Object.keys(returned.tables)).toEqual(Object.keys(original.tables));
  for (const [name, { rows }] of Object.entries(original.tables))
    expect([name, returned.tables[name]?.rows]).toEqual([name, rows]);
});

test("an export has the rows of one moment, whatever is written meanwhile", async () => {
  const database = await startDatabase(dataDir);
  const client = await connect(database.databaseUrl);
  let isWritten = false;
  const { rows } = await exportDatabase(client, async () => {
    if (isWritten) return;
    isWritten = true;
    await asked(database.databaseUrl, "INSERT INTO users (permalink, username) VALUES ('late', 'Late')");
  });
  expect(
    await asked(database.databaseUrl, "DELETE FROM users WHERE permalink = 'late' RETURNING username"),
  ).toEqual([{ username: "Late" }]);
  await client.end();
  await database.stop({ keepData: true });
  expect(rows).toBe(Object.values(original.tables).reduce((sum, table) => sum + table.rows, 0));
});

test("a file that is cut off loads nothing, and one that is there is not written over", async () => {
  const { file } = await exported("whole.sql");
  await expect(exported("whole.sql")).rejects.toThrow("is there already");
  writeFileSync(join(place, "other.sql.draft"), "half");
  await expect(exported("other.sql")).rejects.toThrow("other.sql.draft is there: another export writes it");
  expect(readFileSync(join(place, "other.sql.draft"), "utf8")).toBe("half");
  const whole = readFileSync(file, "utf8");
  expect(whole.split("\n")[1]).toContain("psql");
  const fresh = await startDatabase();
  const half = run("sh", [
    "-c",
    'head --bytes "$1" "$2" | psql --quiet "$3"',
    "sh",
    String(whole.length / 2),
    file,
    fresh.databaseUrl,
  ]);
  await half.catch(() => {});
  expect(await asked(fresh.databaseUrl, "SELECT to_regclass('public.users') AS found")).toEqual([
    { found: null },
  ]);
  await fresh.stop();
});

test("a deployment's database is refused, and so is a directory where nothing ran", async () => {
  const command = (...words: string[]) =>
    databaseCommands["export-database"]?.(readArguments(["export-database", ...words]));
  await expect(command("--to", "x.sql", "--env", "production")).rejects.toThrow("pg_dump");
  vi.stubEnv("DATA_DIR", join(place, "none"));
  await expect(command("--to", join(place, "none.sql"))).rejects.toThrow("No stack has run on");
});

test("an object that no statement writes ends the export, so that none is lost in silence", async () => {
  const database = await startDatabase(dataDir);
  await asked(database.databaseUrl, "CREATE TYPE mood AS ENUM ('calm')");
  await database.stop({ keepData: true });
  await expect(exported("mood.sql")).rejects.toThrow("what cannot be written: type public.mood");
});

test("a database that does not start ends the command, too, which leaves no program behind", async () => {
  const broken = temporaryDataDir();
  await fillDataDir(broken);
  truncateSync(join(broken, "postgres/global/pg_control"));
  const program = join(PROJECT_DIR, "workers/admin/main.ts");
  const words = [program, "export-database", "--to", join(place, "broken.sql")];
  // A command that still runs by then would for ever.
  const options = {
    env: { ...process.env, DATA_DIR: broken },
    timeout: 60_000,
    killSignal: "SIGKILL",
  } as const;
  await expect(run(process.execPath, words, options)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("PostgreSQL did not start"),
  });
  await nothingRuns(broken);
  rmSync(broken, { recursive: true });
});

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate, unappliedMigrations } from "../../db/migrate.ts";
import { PROJECT_DIR } from "../support/structure.ts";
import { startDatabase } from "./database.ts";

const MIGRATIONS = join(PROJECT_DIR, "db/migrations");
const FIRST = "0000_baseline.sql";

/** The folders of a version that had the baseline alone, and no functions yet. */
const older = { directory: "", functions: "" };
let database: Awaited<ReturnType<typeof startDatabase>>;
let owner: pg.Client;

beforeAll(async () => {
  for (const folder of ["directory", "functions"] as const)
    older[folder] = mkdtempSync(join(tmpdir(), "soundpost-older-"));
  cpSync(join(MIGRATIONS, FIRST), join(older.directory, FIRST));
  database = await startDatabase();
  owner = new pg.Client({ connectionString: database.databaseUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner?.end();
  await database?.stop();
  for (const folder of Object.values(older)) rmSync(folder, { recursive: true, force: true });
});

const rows = async (text: string) => (await owner.query(text)).rows;

const STAYS = `INSERT INTO users (permalink, username) VALUES ('ana', 'Ana');
    INSERT INTO tracks (user_id, title, permalink, secret_hash, secret_sealed, original_key, original_filename, original_content_size)
    SELECT id, 'Stays', 'stays', 'a', 'b', 'u/1', 'a.flac', 7 FROM users`;

test("a new version takes over the rows of the first one, and adds its functions", async () => {
  const url = database.databaseUrl;
  expect(await migrate({ url, ...older, refuseNewer: true })).toBe(1);
  await owner.query(`${STAYS};
    INSERT INTO comments (user_id, track_id, body, sanitizer_version) SELECT u.id, t.id, 'here', 1 FROM users u, tracks t`);
  const ids = await rows("SELECT u.id AS user, t.id AS track FROM users u JOIN tracks t ON t.user_id = u.id");

  const all = readdirSync(MIGRATIONS).filter((name) => name.endsWith(".sql"));
  expect(await migrate({ url, refuseNewer: true })).toBe(all.length - 1);
  expect(await rows("SELECT user_id AS user, id AS track FROM tracks WHERE title = 'Stays'")).toEqual(ids);
  expect(await rows("SELECT c.body FROM comments c JOIN tracks t ON t.id = c.track_id")).toEqual([
    { body: "here" },
  ]);
  expect(await rows("SELECT to_regproc('create_track') IS NOT NULL AS found")).toEqual([{ found: true }]);
});

test("an older version refuses the newer database and changes nothing; the newer one starts again", async () => {
  const url = database.databaseUrl;
  const functions = await rows("SELECT name, checksum FROM ledger.functions ORDER BY name");
  await expect(migrate({ url, ...older, refuseNewer: true })).rejects.toThrow(
    /^The database belongs to a newer version, which applied 0001_\w+\.sql.*restore a backup/,
  );
  expect(await rows("SELECT name, checksum FROM ledger.functions ORDER BY name")).toEqual(functions);
  expect(await migrate({ url, refuseNewer: true })).toBe(0);
});

/** Makes a database of when 39 migrations had made what the baseline makes now. */
async function beforeBaseline(last: string) {
  await owner.query(
    "DROP SCHEMA public, ledger, stored, sandbox CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO public",
  );
  await migrate({ url: database.databaseUrl, ...older });
  await owner.query(STAYS);
  await owner.query(`UPDATE ledger.migrations SET checksum = 'former' WHERE name = '${FIRST}';
    DELETE FROM ledger.migrations WHERE name <> '${FIRST}';
    INSERT INTO ledger.migrations (name, checksum) VALUES ('0001_playable_while_encoding.sql', 'former'), ('${last}', 'former');
    CREATE VIEW track_search AS SELECT id FROM track_documents;
    ALTER TABLE idempotency_keys ADD COLUMN reply bytea, ADD COLUMN lease_until timestamptz`);
}

test("a database that applied all migrations before the baseline has the baseline, and loses what only it had", async () => {
  const url = database.databaseUrl;
  const applied = await rows("SELECT name, checksum FROM ledger.migrations ORDER BY name");
  await beforeBaseline("0038_track_documents.sql");
  expect(await unappliedMigrations(owner)).toEqual(applied.slice(1).map(({ name }) => name));
  expect(await migrate({ url, refuseNewer: true })).toBe(applied.length - 1);
  expect(await rows("SELECT name, checksum FROM ledger.migrations ORDER BY name")).toEqual(applied);
  expect(await rows("SELECT to_regclass('track_search') AS view")).toEqual([{ view: null }]);
  expect(await rows("SELECT title FROM tracks")).toEqual([{ title: "Stays" }]);
  expect(await migrate({ url, refuseNewer: true })).toBe(0);
});

test("older Workers keep results of requests with a key before the functions are replaced, too", async () => {
  await owner.query(
    "ALTER TABLE idempotency_keys ADD COLUMN reply bytea, ADD COLUMN lease_until timestamptz",
  );
  const file = join(PROJECT_DIR, "db/functions/idempotency/keep_idempotent_result.sql");
  const former = readFileSync(file, "utf8").replace(
    /(?=;\n {2}RETURN [^;]+;\nEND)/,
    ", reply = NULL, lease_until = NULL",
  );
  expect(former).toContain("expires_at = excluded.expires_at, reply = NULL, lease_until = NULL;");
  await owner.query(former);
  await owner.query(readFileSync(join(MIGRATIONS, "0001_former_parts.sql"), "utf8"));
  const keep = `SELECT keep_idempotent_result('key', 'print', gen_random_uuid(), NULL, 60, '{"found": true}') AS kept`;
  for (const _ of ["first", "again"]) expect(await rows(keep)).toMatchObject([{ kept: { outcome: "done" } }]);
});

test("a database that stopped before the last of those migrations is refused and told what to do", async () => {
  await beforeBaseline("0037_idempotent_results.sql");
  await expect(migrate({ url: database.databaseUrl, refuseNewer: true })).rejects.toThrow(
    "The database is older than the baseline of migrations. Start a version from",
  );
});

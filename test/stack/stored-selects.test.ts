import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyStoredSelects, pruneStoredSelects } from "../../db/apply-stored-selects.ts";
import { openDatabase } from "../../db/client.ts";
import { STORED_SELECTS } from "../../db/queries/stored-selects.ts";
import { findTrack } from "../../db/queries/tracks.ts";
import { follow } from "../../db/queries/users.ts";
import { PROJECT_DIR } from "../support/structure.ts";
import { startMigratedDatabase } from "./migrated-database.ts";

let database: Awaited<ReturnType<typeof startMigratedDatabase>>;
let owner: pg.Client;

beforeAll(async () => {
  database = await startMigratedDatabase();
  owner = database.client;
});
afterAll(() => database?.stop());

const functions = async (named = "") =>
  (
    await owner.query<{ name: string; result: string }>(
      `SELECT proname AS name, pg_get_function_result(oid) AS result FROM pg_proc
       WHERE pronamespace = 'stored'::regnamespace AND starts_with(proname, $1) ORDER BY proname`,
      [named],
    )
  ).rows;

const names = async (named?: string) => (await functions(named)).map(({ name }) => name);

test("the migrator makes a function of every stored select, and of nothing else", async () => {
  expect(await names()).toEqual(STORED_SELECTS.map(({ made }) => made.name).sort());
});

test("the migrator knows every stored select", () => {
  const queries = join(PROJECT_DIR, "db/queries");
  const texts = readdirSync(queries).map((path) => readFileSync(join(queries, path), "utf8"));
  expect(texts.join("\n").match(/new StoredSelect\(/g)).toHaveLength(STORED_SELECTS.length);
});

test("a select whose function is missing is sent itself", async () => {
  const connection = { DATABASE_URL: database.appDatabaseUrl, DATABASE_TRANSPORT: "pg" } as const;
  const visitor = { sessionId: -1, clientId: "site", userId: null };
  const { rows } = await owner.query<{ id: string }>(
    `WITH someone AS (INSERT INTO users (permalink, username) VALUES ('ana', 'Ana') RETURNING id)
     INSERT INTO tracks (user_id, title, permalink, secret_hash, secret_sealed, original_key, original_filename, original_content_size)
     SELECT id, 'Dawn', 'dawn', '', '', '', '', 1 FROM someone RETURNING id`,
  );
  const find = () =>
    findTrack(openDatabase(connection), visitor, Number(rows[0]?.id), {
      secretHash: undefined,
      country: "DE",
    });
  const found = await find();
  expect(found).toMatchObject({ title: "Dawn", user: { username: "Ana" } });
  for (const { name } of await functions("show_tracks")) await owner.query(`DROP FUNCTION stored.${name}`);
  expect(await find()).toEqual(found);
  await applyStoredSelects(
    owner,
    STORED_SELECTS.map(({ made }) => made),
  );
  expect(await names()).toEqual(STORED_SELECTS.map(({ made }) => made.name).sort());
});

test("a write whose select lacks its function is rolled back, and sent once more with the select itself", async () => {
  await owner.query(`
    INSERT INTO users (id, permalink, username) VALUES (1, 'ben', 'Ben'), (2, 'cleo', 'Cleo');
    INSERT INTO apps (id, client_id, secret_hash, name, permalink, redirect_uris) VALUES (1, 'app', '', '', 'app', '{}');
    INSERT INTO sessions (id, app_id, user_id, expires_at) VALUES (1, 1, 1, 'infinity')`);
  for (const { name } of await functions("show_users")) await owner.query(`DROP FUNCTION stored.${name}`);
  const db = openDatabase({ DATABASE_URL: database.appDatabaseUrl, DATABASE_TRANSPORT: "pg" });
  const ben = { sessionId: 1, clientId: "app", userId: 1 };
  const made = await follow(db, ben, { follower: 1, followee: 2 }, 10, null);
  expect(made).toMatchObject({ outcome: "made", user: { username: "Cleo", followers_count: 1 } });
  await applyStoredSelects(
    owner,
    STORED_SELECTS.map(({ made }) => made),
  );
});

const sample = (name: string, text: string) => ({ name, text, types: ["bigint"], columns: ["c1"] });

test("an older Worker's function stays until it is pruned, and comes back with its version", async () => {
  const [older, newer] = [sample("sample_1", "SELECT $1::bigint"), sample("sample_2", "SELECT -$1::bigint")];
  await applyStoredSelects(owner, [older]);
  await applyStoredSelects(owner, [newer]);
  expect(await names("sample")).toEqual(["sample_1", "sample_2"]);
  await pruneStoredSelects(owner);
  expect(await names("sample")).toEqual(["sample_2"]);
  await applyStoredSelects(owner, [older]);
  await applyStoredSelects(owner, [newer]);
  await applyStoredSelects(owner, [older]);
  await pruneStoredSelects(owner);
  expect(await names("sample")).toEqual(["sample_1"]);
  await applyStoredSelects(owner, []);
  await pruneStoredSelects(owner);
  await applyStoredSelects(
    owner,
    STORED_SELECTS.map(({ made }) => made),
  );
});

test("a column that has another type makes the function anew", async () => {
  const select = sample("sample_3", "SELECT n FROM samples WHERE id = $1");
  await owner.query("CREATE TABLE samples (id bigint, n integer)");
  await applyStoredSelects(owner, [select]);
  expect(await functions("sample")).toMatchObject([{ result: "TABLE(c1 integer)" }]);
  await owner.query("ALTER TABLE samples ALTER n TYPE bigint");
  await applyStoredSelects(owner, [select]);
  expect(await functions("sample")).toMatchObject([{ result: "TABLE(c1 bigint)" }]);
});

test("a select that PostgreSQL refuses is named, and changes nothing", async () => {
  const before = await functions();
  await expect(
    applyStoredSelects(owner, [sample("sample_4", "SELECT no_column FROM users")]),
  ).rejects.toThrow("Stored select sample_4: column");
  expect(await functions()).toEqual(before);
});

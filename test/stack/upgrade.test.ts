import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "../../db/migrate.ts";
import { usernameKeys } from "../../functions/text/look-alike.ts";
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

test("a new version takes over the rows of the first one, and adds its functions", async () => {
  const url = database.databaseUrl;
  expect(await migrate({ url, ...older, refuseNewer: true })).toBe(1);
  await owner.query(`INSERT INTO users (permalink, username) VALUES ('ana', 'Ana');
    INSERT INTO tracks (user_id, title, permalink, secret_hash, secret_sealed, original_key, original_filename, original_content_size)
    SELECT id, 'Kept', 'kept', 'a', 'b', 'u/1', 'a.flac', 7 FROM users;
    INSERT INTO comments (user_id, track_id, body, sanitizer_version) SELECT u.id, t.id, 'here', 1 FROM users u, tracks t;
    INSERT INTO users (permalink, username, username_key, look_alike_key) VALUES ('ben', 'Ben ✔️', 'ben\ufe0f', 'ben\ufe0f'),
      ('heart', '❤️ ❤️', '\ufe0f', '\ufe0f'), ('cleo', 'Cleo', 'cleo', 'cleo'), ('badge', 'Cleo ✔️', 'cleo\ufe0f', 'cleo\ufe0f')`);
  const ids = await rows("SELECT u.id AS user, t.id AS track FROM users u JOIN tracks t ON t.user_id = u.id");

  const all = readdirSync(MIGRATIONS).filter((name) => name.endsWith(".sql"));
  expect(await migrate({ url, refuseNewer: true })).toBe(all.length - 1);
  expect(await rows("SELECT user_id AS user, id AS track FROM tracks WHERE title = 'Kept'")).toEqual(ids);
  expect(await rows("SELECT c.body FROM comments c JOIN tracks t ON t.id = c.track_id")).toEqual([
    { body: "here" },
  ]);
  expect(await rows("SELECT to_regproc('create_track') IS NOT NULL AS found")).toEqual([{ found: true }]);
  // The later of two names that became one keeps its key.
  expect(
    await rows(
      "SELECT username, username_key, look_alike_key FROM users WHERE username_key IS NOT NULL ORDER BY id",
    ),
  ).toEqual(
    ["Ben ✔️", "❤️ ❤️", "Cleo"]
      .map((username) => ({ username, ...usernameKeys(username) }))
      .concat({ username: "Cleo ✔️", username_key: "cleo\ufe0f", look_alike_key: "cleo\ufe0f" }),
  );
});

test("an older version refuses the newer database and changes nothing; the newer one starts again", async () => {
  const url = database.databaseUrl;
  const functions = await rows("SELECT name, checksum FROM ledger.functions ORDER BY name");
  await expect(migrate({ url, ...older, refuseNewer: true })).rejects.toThrow(
    /^The database belongs to a newer version, which applied 0001_\w+\.sql, .*restore a backup/,
  );
  expect(await rows("SELECT name, checksum FROM ledger.functions ORDER BY name")).toEqual(functions);
  expect(await migrate({ url, refuseNewer: true })).toBe(0);
});

test("users are written while the indexes of their names are made anew, also after a build that ended half way", async () => {
  const url = database.databaseUrl;
  const forget = () => owner.query("DELETE FROM ledger.migrations WHERE name = '0023_renames.sql'");
  await owner.query(`DROP INDEX users_username_key, users_look_alike_key;
    ALTER TABLE users ADD CONSTRAINT users_username_key UNIQUE (username_key),
      ADD CONSTRAINT users_look_alike_key UNIQUE (look_alike_key);
    CREATE INDEX new_users_look_alike_key ON users (id)`);
  await forget();
  const busy = new pg.Client({ connectionString: url });
  await busy.connect();
  try {
    await busy.query("BEGIN; SELECT FROM users");
    const running = migrate({ url });
    await expect.poll(() => rows("SELECT FROM pg_locks WHERE NOT granted")).toEqual([{}]);
    await busy.query("SET LOCAL lock_timeout = '500ms'; UPDATE users SET city = 'Oslo'; COMMIT");
    expect(await running).toBe(1);
  } finally {
    await busy.end();
  }
  await forget();
  expect(await migrate({ url })).toBe(1);
  expect(await rows("SELECT relname FROM pg_class WHERE relname ~ '^new_'")).toEqual([]);
});

test("downloadable tracks of an older version are found as such", async () => {
  await owner.query("UPDATE tracks SET downloadable = true");
  await owner.query("UPDATE track_documents SET document = ts_delete(document, ':downloadable')");
  await owner.query("DELETE FROM ledger.migrations WHERE name ~ '^00(29|30)_downloadable_'");
  expect(await migrate({ url: database.databaseUrl })).toBe(2);
  expect(await rows("SELECT document @@ ''':downloadable''' AS found FROM track_documents")).toEqual([
    { found: true },
  ]);
});

test("a database that applied an earlier text of a migration, with other comments, starts", async () => {
  const url = database.databaseUrl;
  const name = "0019_looks_for_one_mark.sql";
  const record = (checksum: string) =>
    owner.query("UPDATE ledger.migrations SET checksum = $1 WHERE name = $2", [checksum, name]);
  await record("0bb01cddfc347ccda99dc70dcbd11b3bb768455621768259662ae50aff6cf7ea");
  expect(await migrate({ url })).toBe(0);
  await record("another");
  await expect(migrate({ url })).rejects.toThrow(`Migration ${name} changed after it was applied`);
});

/** The function from when the search of tracks had two tables. */
const INDEX_TRACK_BEFORE = `
CREATE OR REPLACE FUNCTION index_track(t tracks) RETURNS void LANGUAGE sql AS $$
  INSERT INTO track_search AS s
  SELECT t.id, t.user_id, t.bpm, t.duration_ms, track_document(t, o.username) FROM users o WHERE o.id = t.user_id
  ON CONFLICT (id) DO UPDATE SET document = excluded.document
$$`;

test("names are found without vowel marks and points, and a suspended user's marks from before count no more", async () => {
  const before = mkdtempSync(join(tmpdir(), "soundpost-older-"));
  const all = readdirSync(MIGRATIONS).filter((name) => name.endsWith(".sql"));
  for (const name of all.filter((one) => one < "0020")) cpSync(join(MIGRATIONS, name), join(before, name));
  const marked = await startDatabase();
  const client = new pg.Client({ connectionString: marked.databaseUrl });
  await client.connect();
  const found = async (q: string) => {
    const matches = "document @@ to_tsquery('simple', search_text($1))";
    const text = `SELECT (SELECT count(*) FROM users WHERE ${matches})::int AS users,
      (SELECT count(*) FROM track_search WHERE ${matches})::int AS tracks,
      (SELECT count(*) FROM playlist_search WHERE ${matches})::int AS playlists`;
    return (await client.query(text, [q])).rows[0];
  };
  try {
    await migrate({ url: marked.databaseUrl, directory: before });
    await client.query(INDEX_TRACK_BEFORE);
    await client.query(`INSERT INTO users (permalink, username, full_name) VALUES ('ana', 'Ana', 'שָׁלוֹם R.E.M.');
      INSERT INTO tracks (user_id, title, permalink, secret_hash, secret_sealed, original_key, original_filename, original_content_size)
      SELECT id, 'שָׁלוֹם R.E.M.', 'shalom', 'a', 'b', 'u/1', 'a.flac', 7 FROM users;
      INSERT INTO playlists (user_id, title, permalink, secret_hash, secret_sealed) SELECT id, 'שָׁלוֹם R.E.M.', 'shalom', 'c', 'd' FROM users;
      INSERT INTO users (permalink, username, disabled_at) VALUES ('bob', 'Bob', now());
      INSERT INTO favorites (user_id, track_id) SELECT u.id, t.id FROM users u, tracks t WHERE u.permalink = 'bob';
      UPDATE tracks SET favoritings_count = 1; UPDATE recounts SET begun_at = now()`);
    for (const q of ["שלום", "rem"]) expect(await found(q)).toEqual({ users: 0, tracks: 0, playlists: 0 });
    expect(await migrate({ url: marked.databaseUrl })).toBeGreaterThan(0);
    for (const q of ["שלום", "rem"]) expect(await found(q)).toEqual({ users: 1, tracks: 1, playlists: 1 });
    expect((await client.query("SELECT recount_some('track', 10)->'wrong' AS wrong")).rows).toMatchObject([
      { wrong: [{ counter: "favoritings_count", delta: -1 }] },
    ]);
  } finally {
    await client.end();
    await marked.stop();
    rmSync(before, { recursive: true });
  }
});

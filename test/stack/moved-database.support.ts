import type pg from "pg";
import { describeDatabase } from "../../workers/admin/database/description.ts";
import { type Digest, digestOf, inSnapshot } from "../../workers/admin/database/rows.ts";
import { connect } from "../../workers/local/stack/own-database.ts";

/** Rows of many kinds: texts with what a dump escapes, bytes, times, generated columns, counters. */
export const ODD_ROWS = `
INSERT INTO users (permalink, username, full_name, city, description)
  SELECT 'u' || n, 'U' || n, E'Zo\\u00eb \\U0001F3A7 ' || n, nullif('', ''), E'tab\\t line\\n back\\\\slash \\\\.\\n\\\\.\\n\\\\N \\r'
  FROM generate_series(1, 2000) n;
INSERT INTO tracks (user_id, title, permalink, secret_hash, secret_sealed, original_key, original_filename, original_content_size)
  SELECT id, 'Stays', 'stays', E'\\\\x00ff', 'b', permalink, 'a.flac', 7 FROM users;
INSERT INTO comments (user_id, track_id, body, sanitizer_version) SELECT user_id, id, E'here\\t' || id, 1 FROM tracks;
INSERT INTO apps (id, client_id, secret_hash, name, permalink, redirect_uris)
  VALUES (1, 'app', '', E'quo"te, {br\\\\ace}', 'app', ARRAY['http://127.0.0.1/a,b', E'x:"y"\\\\']);
INSERT INTO sessions (id, app_id, user_id, expires_at) SELECT n, 1, id, 'infinity' FROM (SELECT id, row_number() OVER () AS n FROM users) u`;

/** Reads a whole database: its objects, the rows of each table, and the id of the next transaction. */
export async function contentsOf(url: string) {
  const client = await connect(url);
  try {
    const { rows } = await client.query("SELECT current_setting('server_version_num')::int / 10000 AS major");
    return { major: rows[0].major, ...(await read(client)) };
  } finally {
    await client.end();
  }
}

const read = (client: pg.Client) =>
  inSnapshot(client, async () => {
    const { before, tables, after } = await describeDatabase(client);
    const digests: Record<string, Digest> = {};
    for (const table of tables) digests[table.name] = await digestOf(client, table);
    const { rows } = await client.query("SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next");
    // Read again, a condition may group its parts otherwise.
    const objects = [...before, ...after].map((text) => text.replaceAll(/[()]/g, "")).sort();
    return { objects, tables: digests, next: Number(rows[0].next) };
  });

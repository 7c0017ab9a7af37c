import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { generateDrizzleJson, generateMigration } from "drizzle-kit/api";
import { integer, pgTable } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import config from "../../db/drizzle.config.ts";
import * as schema from "../../db/schema/index.ts";
import { PROJECT_DIR } from "../support/structure.ts";

const DIRECTORY = join(PROJECT_DIR, "db/migrations");

const readJson = (name: string) => JSON.parse(readFileSync(join(DIRECTORY, "meta", name), "utf8"));

const files = readdirSync(DIRECTORY).filter((name) => name.endsWith(".sql"));
const journal: { idx: number; tag: string }[] = readJson("_journal.json").entries;

/** The SQL that `npm run draft-migration` would write for a schema, without writing it. */
function drafted(of: Record<string, unknown>): Promise<string[]> {
  const last = readJson(`${journal.at(-1)?.tag.slice(0, 4)}_snapshot.json`);
  return generateMigration(last, generateDrizzleJson(of, last.id, undefined, config.casing));
}

test("the schema needs no further migration", async () => {
  expect(await drafted(schema)).toEqual([]);
});

test("a table without a migration would be detected", async () => {
  const forgotten = pgTable("forgotten", { id: integer().primaryKey() });
  expect((await drafted({ ...schema, forgotten })).join()).toContain('CREATE TABLE "forgotten"');
});

test("migrations are numbered without gap or duplicate, and drizzle-kit's journal lists each", () => {
  expect(files.length).toBeGreaterThan(0);
  for (const name of files) expect(name).toMatch(/^\d{4}_[a-z0-9_]+\.sql$/);
  const numbers = files.sort().map((name) => Number(name.slice(0, 4)));
  expect(numbers).toEqual(files.map((_, index) => index));
  expect(journal.map(({ tag }) => `${tag}.sql`)).toEqual(files);
});

test("drizzle-kit's newest snapshot alone is kept, because it reads no other", () => {
  const newest = `${journal.at(-1)?.tag.slice(0, 4)}_snapshot.json`;
  expect(readdirSync(join(DIRECTORY, "meta")).sort()).toEqual([newest, "_journal.json"]);
});

test("no migration opens a transaction, because the runner does", () => {
  const own = files.filter((name) =>
    /^\s*(?:BEGIN|START TRANSACTION|COMMIT|ROLLBACK)\s*;/im.test(readFileSync(join(DIRECTORY, name), "utf8")),
  );
  expect(own).toEqual([]);
});

test("a statement that cannot run in a transaction stands alone, and the first line says so", () => {
  for (const name of files) {
    const sql = readFileSync(join(DIRECTORY, name), "utf8");
    const alone = sql.startsWith("-- no transaction");
    expect(alone, name).toBe(/\bCONCURRENTLY\b/i.test(sql.replace(/--.*$/gm, "")));
    if (!alone) continue;
    for (const part of sql.split("--> statement-breakpoint").filter((one) => /\bCONCURRENTLY\b/.test(one)))
      expect(part.replace(/--.*$/gm, "").trim().split(";").filter(Boolean), name).toHaveLength(1);
  }
});

/** Beginnings of SHA-256. A new migration adds its line. A text that changes leaves its checksum in `EARLIER`. */
const TEXTS: Record<string, string> = {
  "0000_baseline.sql": "3a683df8061e",
  "0001_playable_while_encoding.sql": "1aaadde4c07f",
  "0002_transcoder_pool.sql": "93839bf763ef",
  "0003_favorites.sql": "5b0865284923",
  "0004_site_session.sql": "481009a87096",
  "0005_podcasts.sql": "c727e9f3f61f",
  "0006_event_streams.sql": "bbb0038ad306",
  "0007_operator_accounts.sql": "2814a3e1148e",
  "0008_mails.sql": "89ce7629f371",
  "0009_dead_letters.sql": "0c477d91061b",
  "0010_moderation.sql": "6cd7e743a47b",
  "0011_traces.sql": "71f23423ea52",
  "0012_quotas.sql": "666cb08354d8",
  "0013_browser_names.sql": "3ce656d75386",
  "0014_operator_codes.sql": "7a30e3143187",
  "0015_feed_by_publication.sql": "3a992581b0ec",
  "0016_tokens_outlive_apps.sql": "3dfbf7f71706",
  "0017_first_publication.sql": "4cef1d11d2e5",
  "0018_app_references.sql": "30f0c5b7a32c",
  "0019_looks_for_one_mark.sql": "0bd3d76c409b",
  "0020_search_without_vowel_marks.sql": "1057a545363f",
  "0021_search_acronyms.sql": "420bbd523878",
  "0022_recount_of_marks.sql": "ae15009e49d1",
  "0023_renames.sql": "4ea7629612cb",
  "0024_unread_index.sql": "6afd57f3167d",
  "0025_closed_pictures.sql": "d0409484b669",
  "0026_names_without_marks.sql": "45fcfc67702a",
  "0027_podcast_move.sql": "6fa90a7cffcb",
  "0028_ended_uploads.sql": "8b08d4dc9f6d",
  "0029_downloadable_label.sql": "da8b5b94aec8",
  "0030_downloadable_tracks.sql": "b702496a936f",
  "0031_search_spellings.sql": "f193de9f11e6",
  "0032_search_respelled.sql": "67885d168a3f",
  "0033_event_numbers.sql": "6f728017e20b",
  "0034_podcast_guid.sql": "ec0d3cc6970b",
  "0035_user_counters.sql": "e423cd1501e0",
  "0036_webhook_lanes.sql": "9948c39cb859",
  "0037_idempotent_results.sql": "1bbc38d95af2",
  "0038_track_documents.sql": "e2478d7facfb",
};

test("every migration has the text that databases recorded when they applied it, comments included", () => {
  const sha256 = (name: string) =>
    createHash("sha256")
      .update(readFileSync(join(DIRECTORY, name)))
      .digest("hex");
  expect(Object.fromEntries(files.map((name) => [name, sha256(name).slice(0, 12)]))).toEqual(TEXTS);
});

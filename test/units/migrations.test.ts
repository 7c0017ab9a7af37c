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

/** Beginnings of SHA-256. A new migration adds its line. */
const TEXTS: Record<string, string> = {
  "0000_baseline.sql": "fe9d4ccb8772",
  "0001_former_parts.sql": "8ee31a951905",
  "0002_comment_threads.sql": "f3f25c31598e",
  "0003_known_words.sql": "93b4b41d8558",
  "0004_names.sql": "da2d78b7e129",
  "0005_news.sql": "0aaf5738d588",
  "0006_artwork_colors.sql": "79467e10f3fa",
  "0007_publish_at.sql": "df9ac970d351",
  "0008_credits.sql": "30012ff7926b",
  "0009_transcripts.sql": "eee2107ab2ef",
  "0010_former_addresses.sql": "aaac7b4a46fd",
  "0011_podcast_imports.sql": "13fb2eaa9923",
  "0012_insights.sql": "0ebf909a1927",
  "0013_stored_objects.sql": "48482673eca6",
  "0014_listener_counts.sql": "fe2c2fa3e694",
  "0015_idle_originals.sql": "3e9787bfdbaf",
  "0016_invitations.sql": "db6d61eb2842",
  "0017_chapter_pictures.sql": "abf76ff864e8",
  "0018_removals.sql": "f7eab702e156",
  "0019_public_apps.sql": "830e541fc04c",
  "0020_event_ids.sql": "1747ac66163d",
  "0021_deprecations.sql": "49c76af3abde",
  "0022_status_history.sql": "a5f01454275a",
  "0023_personal_tokens.sql": "8eefdfe61ecf",
  "0024_deprecation_notice_days.sql": "a3a20ea05634",
  "0025_own_playlists.sql": "b6f5cab46c78",
  "0026_webhook_tokens.sql": "749b66a38779",
};

test("every migration has the text that databases recorded when they applied it, comments included", () => {
  const sha256 = (name: string) =>
    createHash("sha256")
      .update(readFileSync(join(DIRECTORY, name)))
      .digest("hex");
  expect(Object.fromEntries(files.map((name) => [name, sha256(name).slice(0, 12)]))).toEqual(TEXTS);
});

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
    if (alone) expect(sql.replace(/--.*$/gm, "").trim().split(";").filter(Boolean), name).toHaveLength(1);
  }
});

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type SQL, sql } from "drizzle-orm";
import { pgTable, text } from "drizzle-orm/pg-core";
import type pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import * as z from "zod";
import { type Database, openDatabase } from "../../db/client.ts";
import { databaseFault } from "../../db/faults.ts";
import { WORKS } from "../../db/keyed.ts";
import { PROJECT_DIR } from "../support/structure.ts";
import { startMigratedDatabase } from "./migrated-database.ts";

let database: Awaited<ReturnType<typeof startMigratedDatabase>>;
let owner: pg.Client;
let db: Database;
let statements = 0;

const FUNCTIONS = `
  CREATE TABLE notes (body text); GRANT ALL ON notes TO soundpost_app;
  CREATE FUNCTION write_note(p_body text, p_seconds float8) RETURNS json LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO notes VALUES (p_body); PERFORM pg_sleep(p_seconds); RETURN json_build_object('body', p_body);
  END $$`;

beforeAll(async () => {
  database = await startMigratedDatabase();
  owner = database.client;
  await owner.query(FUNCTIONS);
  // Longer than a deadline, so that the deadline ends the statement.
  const where = { DATABASE_URL: `${database.neonUrl}?options=-c%20statement_timeout%3D20s` };
  db = openDatabase(
    { ...where, DATABASE_PROXY_URL: database.proxyUrl },
    { onStatement: () => void statements++ },
  );
});
afterAll(() => database?.stop());
afterEach(() => vi.restoreAllMocks());

const notes = async (body: string) =>
  (await owner.query("SELECT FROM notes WHERE body = $1", [body])).rowCount;

const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => databaseFault(error),
  );

/** A function of this test's own, which no signature is written of. */
const writeNote = (body: string | SQL, seconds: number | SQL, call = db.call) =>
  call("write_note" as never, () => z.strictObject({ body: z.string() }), { body, seconds } as never);

const noted = pgTable("notes", { body: text() });

const writers: Record<string, (body: string, seconds: number) => Promise<unknown>> = {
  "a function": (body, seconds) => writeNote(body, seconds),
  "an expression": (body, seconds) => writeNote(sql`${body}`, sql`${seconds}::float8`),
  "the builder": (body, seconds) =>
    db.write((on) =>
      on.insert(noted).values({ body: sql`(select ${body} from pg_sleep(${seconds}::float8))` }),
    ),
};

test.each(Object.keys(writers))("%s that ends within its deadline is written once", async (kind) => {
  await writers[kind]?.(`soon ${kind}`, 0);
  expect(await notes(`soon ${kind}`)).toBe(1);
});

/**
 * Runs all in parallel: each waits five seconds, is resent once because the database answers, and waits
 * again.
 */
async function expectLate(name: string): Promise<void> {
  statements = 0;
  await Promise.all(
    Object.entries(writers).map(async ([kind, write]) => {
      const fault = await faultOf(write(`${name} ${kind}`, 5.2));
      expect(fault?.kind, kind).toMatch(/^(late|timeout)$/);
      expect(await notes(`${name} ${kind}`)).toBe(0);
    }),
  );
  expect(statements).toBeLessThanOrEqual(2 * Object.keys(writers).length);
}

test("a write that ends after its deadline is rolled back and reported", () => expectLate("late"));

test("a write that takes minutes has its own deadline", async () => {
  expect(await writeNote("long", 5.5, db.callAtLength)).toEqual({ body: "long" });
  expect(await notes("long")).toBe(1);
});

/** Milliseconds by which the clock is off. */
test.each([3_600_000, 300_000, -300_000, -3_600_000, 0])(
  "with a clock wrong by %i ms writes continue: the first is sent at most twice, the next once",
  async (wrongMs) => {
    const now = Date.now;
    vi.spyOn(Date, "now").mockImplementation(() => now() + wrongMs);
    for (const [turn, most] of [
      ["first", 2],
      ["second", 1],
      ["third", 1],
    ] as const) {
      statements = 0;
      await writeNote(`${turn} ${wrongMs}`, 0);
      expect(await notes(`${turn} ${wrongMs}`)).toBe(1);
      expect(statements).toBeLessThanOrEqual(most);
    }
  },
);

test("with a clock an hour slow, late writes are still rolled back", async () => {
  const now = Date.now;
  vi.spyOn(Date, "now").mockImplementation(() => now() - 3_600_000);
  await writeNote("learns the time", 0);
  await expectLate("slow clock");
});

test("every function that is called writes: reads are statements of the builder", async () => {
  const { rows } = await owner.query<{ proname: string; reads: boolean }>(
    `SELECT proname, bool_and(provolatile <> 'v') AS reads FROM pg_proc
     WHERE pronamespace = 'public'::regnamespace GROUP BY proname`,
  );
  const reading = new Set(rows.filter(({ reads }) => reads).map(({ proname }) => proname));
  const directory = join(PROJECT_DIR, "db/queries");
  const queries = readdirSync(directory).map((name) => readFileSync(join(directory, name), "utf8"));
  const called = [...queries.join("\n").matchAll(/"([a-z_]+)"/g)].map(([, name]) => name ?? "");
  // A key's claim writes, whatever the work under it does.
  const only = called.filter((name) => reading.has(name) && !WORKS.has(name));
  expect([...new Set(only)]).toEqual([]);
});

/** The arguments of each `read` in a source, as text. */
function readsIn(source: string): string[] {
  return [...source.matchAll(/\.read\((?=sql`|\(on\))/g)].map(({ 0: { length }, index }) => {
    let end = index + length;
    for (let open = 1; open > 0 && end < source.length; end++)
      open += source[end] === "(" ? 1 : source[end] === ")" ? -1 : 0;
    return source.slice(index, end);
  });
}

test("statements sent as read-only write nothing", async () => {
  const { rows } = await owner.query<{ proname: string }>(
    "SELECT DISTINCT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND provolatile = 'v'",
  );
  const writing = rows.map(({ proname }) => proname).join("|");
  const writes = new RegExp(
    `\\b(insert|update|delete|merge|nextval|for share)\\b|\\.for\\(|\\b(${writing})\\(`,
    "i",
  );
  const reads = ["db/queries", "functions", "workers"].flatMap((folder) =>
    readdirSync(join(PROJECT_DIR, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => /\.tsx?$/.test(path))
      .flatMap((path) => readsIn(readFileSync(join(PROJECT_DIR, folder, path), "utf8"))),
  );
  expect(reads.length).toBeGreaterThan(15);
  for (const text of reads) expect(text).not.toMatch(writes);
});

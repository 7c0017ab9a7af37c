import { sql } from "drizzle-orm";
import { bigint, customType, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import type pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { type Database, openDatabase } from "../../db/client.ts";
import { databaseFault, SessionEnded } from "../../db/faults.ts";
import type { Sending } from "../../db/persistence.ts";
import { openWires } from "../support/cut-wires.ts";
import { startMigratedDatabase } from "./migrated-database.ts";

let database: Awaited<ReturnType<typeof startMigratedDatabase>>;
let owner: pg.Client;

const FUNCTIONS = `
  CREATE TABLE notes (body text primary key, id bigint, taken bytea, at timestamptz default now());
  GRANT ALL ON notes TO soundpost_app;
  CREATE FUNCTION note(p_body text, p_seconds float8) RETURNS json LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO notes VALUES (p_body); PERFORM pg_sleep(p_seconds); RETURN json_build_object('body', p_body);
  END $$;
  CREATE FUNCTION fail_with(p_code text) RETURNS json LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'a failure' USING ERRCODE = p_code, DETAIL = 'a detail'; END $$;`;

beforeAll(async () => {
  database = await startMigratedDatabase();
  owner = database.client;
  await owner.query(FUNCTIONS);
});
afterAll(() => database?.stop());

const notes = async (body: string) =>
  (await owner.query("SELECT FROM notes WHERE body = $1", [body])).rowCount;

const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => (error instanceof SessionEnded ? "session ended" : databaseFault(error)?.kind),
  );

const bytes = customType<{ data: string }>({ dataType: () => "bytea" });
const noted = pgTable("notes", {
  body: text(),
  id: bigint({ mode: "number" }),
  taken: bytes(),
  at: timestamp({ withTimezone: true }),
});

/** Functions of this test's own, which no signature is written of. */
const call = (db: Database, name: string, given: Record<string, unknown>, sending?: Sending) =>
  db.call(name as never, () => z.unknown(), given as never, sending);

describe.each(["neon-http", "pg"] as const)("over %s", (transport) => {
  let db: Database;
  let wires: Awaited<ReturnType<typeof openWires>>;
  let statements = 0;

  beforeAll(async () => {
    const { port } = new URL(transport === "pg" ? database.databaseUrl : database.proxyUrl);
    wires = await openWires(Number(port));
    const url = new URL(database.appDatabaseUrl);
    if (transport === "pg") url.port = String(wires.port);
    else url.host = "wires.local";
    // Longer than a deadline, so that the deadline ends the statement.
    url.searchParams.set("options", "-c statement_timeout=20s");
    const proxy =
      transport === "pg"
        ? {}
        : { DATABASE_PROXY_URL: `http://127.0.0.1:${wires.port}${new URL(database.proxyUrl).pathname}` };
    db = openDatabase(
      { DATABASE_URL: url.href.replaceAll("+", "%20"), DATABASE_TRANSPORT: transport, ...proxy },
      { onStatement: () => void statements++ },
    );
  });
  afterEach(() => wires.up());
  afterAll(() => wires.close());

  const note = (body: string, seconds = 0, sending?: Sending) =>
    call(db, "note", { body: `${transport} ${body}`, seconds }, sending);
  const writtenBy = (body: string) => notes(`${transport} ${body}`);

  test("functions and the builder return the same values", async () => {
    const body = `${transport} ${"naïve “text” 漢字 \\ ' \" 🎵"}`;
    const row = { body, id: 2 ** 53 - 1, taken: "\\x00ff", at: new Date("2026-01-02T03:04:05.678Z") };
    const [made] = await db.write((on) => on.insert(noted).values(row).returning());
    expect({ ...made, taken: undefined }).toEqual({ ...row, taken: undefined });
    expect(await db.read((on) => on.select().from(noted).where(sql`body = ${body}`))).toEqual([made]);
    const [read] = await db.read<Record<string, unknown>>(
      sql`select body, id, array[1, 2] as two, ${null}::text as none, '{"a": [1]}'::json as json, at from notes where body = ${body}`,
    );
    expect(read).toEqual({
      body,
      id: String(row.id),
      two: [1, 2],
      none: null,
      json: { a: [1] },
      at: expect.stringMatching(/^2026-01-02 03:04:05\.678\+00$/),
    });
    expect(await note("a value")).toEqual({ body: `${transport} a value` });
  });

  test.each([
    ["40P01", "rolled_back", 4],
    ["40001", "rolled_back", 4],
    ["57014", "timeout", 1],
    ["55P03", "unavailable", 1],
    ["53300", "unavailable", 1],
    ["08006", "unavailable", 1],
    ["22P02", "bad_text", 1],
    ["23505", "conflict", 1],
    ["P0001", "other", 1],
    ["SE000", "session ended", 1],
  ])("%s is %s after %i statements", async (code, expected, times) => {
    statements = 0;
    expect(await outcomeOf(call(db, "fail_with", { code }))).toBe(expected);
    expect(statements).toBe(times);
  });

  test("unavailable: nothing listens, so nothing was done", async () => {
    await wires.down();
    expect(await outcomeOf(note("down"))).toBe("unavailable");
    await wires.up();
    expect(await writtenBy("down")).toBe(0);
    expect(await outcomeOf(note("down"))).toBe("done");
  });

  test("lost: the wire broke before or after the statement, and a repeatable one is sent again", async () => {
    wires.cut("cut short");
    expect(await outcomeOf(note("cut short"))).toBe("lost");
    expect(await writtenBy("cut short")).toBe(0);
    wires.loseReply("reply lost");
    expect(await outcomeOf(note("reply lost"))).toBe("lost");
    await expect.poll(() => writtenBy("reply lost")).toBe(1);
    statements = 0;
    wires.cut("sent again");
    expect(await outcomeOf(note("sent again", 0, "repeatable"))).toBe("done");
    expect([statements, await writtenBy("sent again")]).toEqual([2, 1]);
  });

  test("unavailable: the backend was terminated under the statement, which left nothing", async () => {
    const asked = outcomeOf(note("terminated", 30));
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE usename = 'soundpost_app' AND wait_event = 'PgSleep'`;
    await expect.poll(async () => (await owner.query(end)).rowCount).toBe(1);
    expect(await asked).toBe("unavailable");
    expect(await writtenBy("terminated")).toBe(0);
  });

  test("each statement has its limit: late writes are rolled back, at length is not late", async () => {
    wires.swallow("unheard");
    const body = `${transport} late builder`;
    const slowly = sql<string>`(select ${body} from pg_sleep(5.2))`;
    const startedAt = performance.now();
    const [unheard, ...late] = await Promise.all([
      outcomeOf(note("unheard")).finally(() => {
        expect(performance.now() - startedAt).toBeGreaterThan(5_900);
      }),
      outcomeOf(note("late", 5.2)),
      outcomeOf(db.write((on) => on.insert(noted).values({ body: slowly }))),
      db.callAtLength("note" as never, () => z.unknown(), {
        body: `${transport} long`,
        seconds: 6.5,
      } as never),
    ]);
    expect(unheard).toBe("timeout");
    for (const kind of late.slice(0, 2)) expect(kind).toMatch(/^(late|timeout)$/);
    expect(await Promise.all(["unheard", "late", "late builder", "long"].map(writtenBy))).toEqual([
      0, 0, 0, 1,
    ]);
  });

  test("a builder's write that fails leaves nothing", async () => {
    const twice = [{ body: `${transport} twice` }, { body: `${transport} twice` }];
    expect(await outcomeOf(db.write((on) => on.insert(noted).values(twice)))).toBe("conflict");
    expect(await writtenBy("twice")).toBe(0);
  });

  test("a password that is refused is no outage", async () => {
    const url = new URL(database.appDatabaseUrl.replace(/:[^:@]+@/, ":guess@"));
    if (transport === "neon-http") url.host = "wires.local";
    const wrong = openDatabase({ DATABASE_URL: url.href, DATABASE_TRANSPORT: transport });
    expect(await outcomeOf(wrong.read(sql`select 1`))).toBe("other");
  });
});

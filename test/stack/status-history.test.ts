import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../db/client.ts";
import { forgetExpired } from "../../db/queries/expired.ts";
import { noteCondition, readStatusHistory } from "../../db/queries/status-history.ts";
import type { Env } from "../../functions/lib/http/env.ts";
import { measureCondition } from "../../workers/crons/condition.ts";
import { startMigratedDatabase } from "./migrated-database.ts";

let database: Awaited<ReturnType<typeof startMigratedDatabase>>;

beforeAll(async () => {
  database = await startMigratedDatabase();
});
afterAll(() => database?.stop());

const db = () => openDatabase({ DATABASE_URL: database.databaseUrl, DATABASE_TRANSPORT: "pg" as const });

/** Pretends that the last measurement was earlier. */
const wait = (seconds: number) =>
  database.client.query("update status_days set measured_at = now() - make_interval(secs => $1)", [seconds]);

/** Returns the seconds since the last measurement. */
async function note(
  mails: "works" | "late" | "fails",
  unwritten: { day: string; seconds: number }[] = [],
): Promise<number> {
  const last = "select max(measured_at)::text as at from status_days";
  const [before] = (await database.client.query<{ at: string | null }>(last)).rows;
  await noteCondition(db(), {
    measured: [
      { part: "database", condition: "works" },
      { part: "mails", condition: mails },
    ],
    unwritten,
    everyS: 60,
  });
  const { rows } = await database.client.query<{ passed: number }>(
    "select extract(epoch from max(measured_at) - $1::timestamptz)::int as passed from status_days",
    [before?.at],
  );
  return rows[0]?.passed ?? Number.NaN;
}

/** Seconds by condition, of one day or of all, since a run may go beyond midnight. */
async function secondsOf(part: string, day?: string) {
  const { days } = await readStatusHistory(db());
  const mine = days.filter((each) => each.part === part && (day === undefined || each.day === day));
  const sum = (column: "works_s" | "late_s" | "fails_s") =>
    mine.reduce((total, each) => total + each[column], 0);
  return [sum("works_s"), sum("late_s"), sum("fails_s")] as const;
}

test("a measurement stands for the time since the last, a gap is not measured, and a second run adds nothing", async () => {
  await note("works");
  expect(await secondsOf("mails")).toEqual([60, 0, 0]);
  const works = 60 + (await note("works"));
  expect(await secondsOf("mails")).toEqual([works, 0, 0]);
  await wait(70);
  const late = await note("late");
  expect(late).toBeGreaterThanOrEqual(70);
  expect(await secondsOf("mails")).toEqual([works, late, 0]);
  for (const gap of [130, 3_600]) {
    await wait(gap);
    await note("fails");
  }
  expect(await secondsOf("mails")).toEqual([works, late, 120]);
  expect(await secondsOf("database")).toEqual([works + late + 120, 0, 0]);
  expect(await secondsOf("storage")).toEqual([0, 0, 0]);
});

test("failures of the database that could not be written are added to their days", async () => {
  const now = Date.now();
  const [yesterday, today] = [now - 86_400_000, now].map((at) => new Date(at).toISOString().slice(0, 10)) as [
    string,
    string,
  ];
  const [before] = await secondsOf("database");
  // Nobody knows whether the database failed in all of that time.
  await wait(90);
  await note("works", [
    { day: yesterday, seconds: 120 },
    { day: today, seconds: 180 },
  ]);
  expect((await secondsOf("database", yesterday))[2]).toBe(120);
  expect((await secondsOf("database", today))[2]).toBe(180);
  expect(await secondsOf("database")).toEqual([before + 60, 0, 300]);
});

/** Notes a measurement that waits for another one of the same time, which counts 90 seconds. */
async function noteBehindAnother(unwritten: { day: string; seconds: number }[]): Promise<void> {
  await wait(90);
  await database.client.query("begin");
  await database.client.query(
    `update status_days set works_s = works_s + 90, measured_at = now()
     where day = (select max(day) from status_days)`,
  );
  const second = note("works", unwritten);
  const waiting = () => database.client.query("select from pg_locks where not granted");
  await expect.poll(async () => (await waiting()).rowCount).toBeGreaterThan(0);
  await database.client.query("commit");
  await second;
}

test("two runs at once count once", async () => {
  const [before] = await secondsOf("mails");
  await noteBehindAnother([]);
  expect(await secondsOf("mails")).toEqual([before + 90, expect.any(Number), expect.any(Number)]);
});

test("failures that could not be written are added although another run measures at the same time", async () => {
  const [, , before] = await secondsOf("database");
  const { rows } = await database.client.query("select max(day)::text as day from status_days");
  await noteBehindAnother([{ day: rows[0].day, seconds: 45 }]);
  expect((await secondsOf("database"))[2]).toBe(before + 45);
});

test.each([86_400, 40])("a clock that was set back by %i seconds takes nothing away", async (seconds) => {
  await wait(-seconds);
  const [before] = await secondsOf("mails");
  await note("works");
  const [after] = await secondsOf("mails");
  expect(after - before).toBe(seconds > 60 ? 60 : 0);
});

test("days are shown for 90 days, and then forgotten", async () => {
  await database.client.query(
    `insert into status_days (part, day, works_s, late_s, fails_s)
     select 'posts', (now() at time zone 'UTC')::date - n, 60, 0, 0 from unnest('{89,90}'::int[]) n`,
  );
  const shown = async () =>
    (await readStatusHistory(db())).days.filter(({ part }) => part === "posts").length;
  expect(await shown()).toBe(1);
  expect([await forgetExpired(db(), "status_days", 9), await shown()]).toEqual([1, 1]);
});

test("failures of the database are remembered until they can be written, once", async () => {
  const env = (address: string) =>
    ({
      DATABASE_URL: address,
      DATABASE_TRANSPORT: "pg",
      S3_ENDPOINT: "http://127.0.0.1:9",
    }) as unknown as Env;
  const [up, away] = [env(database.databaseUrl), env("postgres://a:b@127.0.0.1:9/c")];
  const [, , before] = await secondsOf("database");
  for (let times = 0; times < 2; times++) await measureCondition(away, 60);
  // It answers questions, and takes nothing.
  await database.client.query("alter table status_days rename to locked_days");
  await expect(measureCondition(up, 60)).rejects.toThrow();
  await database.client.query("alter table locked_days rename to status_days");
  for (let times = 0; times < 2; times++) await measureCondition(up, 60);
  expect((await secondsOf("database"))[2]).toBe(before + 180);
});

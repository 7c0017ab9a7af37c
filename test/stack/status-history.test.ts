import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../db/client.ts";
import { noteCondition, readStatusHistory } from "../../db/queries/status-history.ts";
import { startMigratedDatabase } from "./migrated-database.ts";

let database: Awaited<ReturnType<typeof startMigratedDatabase>>;

beforeAll(async () => {
  database = await startMigratedDatabase();
}, 120_000);
afterAll(() => database?.stop());

const db = () => openDatabase({ DATABASE_URL: database.databaseUrl, DATABASE_TRANSPORT: "pg" as const });

/** Pretends that the last measurement was earlier. */
const wait = (seconds: number) =>
  database.client.query("update status_days set measured_at = now() - make_interval(secs => $1)", [seconds]);

const note = (mails: "works" | "late" | "fails", unwritten: { day: string; seconds: number }[] = []) =>
  noteCondition(db(), {
    measured: [
      { part: "database", condition: "works" },
      { part: "mails", condition: mails },
    ],
    unwritten,
    everyS: 60,
  });

async function secondsOf(part: string, day?: string): Promise<(number | undefined)[]> {
  const { days } = await readStatusHistory(db());
  const found = days.find((each) => each.part === part && (day === undefined || each.day === day));
  return [found?.works_s, found?.late_s, found?.fails_s];
}

const near = (seconds: number) => {
  const most = seconds + 5;
  return expect.toSatisfy((found: number) => found >= seconds && found <= most, `${seconds} to ${most}`);
};

test("a measurement stands for the time since the last, a gap is not measured, and a second run adds nothing", async () => {
  await note("works");
  expect(await secondsOf("mails")).toEqual([60, 0, 0]);
  await note("works");
  expect(await secondsOf("mails")).toEqual([near(60), 0, 0]);
  await wait(90);
  await note("late");
  expect(await secondsOf("mails")).toEqual([near(60), near(90), 0]);
  await wait(3_600);
  await note("fails");
  expect(await secondsOf("mails")).toEqual([near(60), near(90), 60]);
  expect(await secondsOf("database")).toEqual([near(210), 0, 0]);
  expect(await secondsOf("storage")).toEqual([undefined, undefined, undefined]);
});

test("failures of the database that could not be written are added to their days", async () => {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const [before] = await secondsOf("database", day(0));
  await wait(200);
  await note("works", [
    { day: day(1), seconds: 120 },
    { day: day(0), seconds: 180 },
  ]);
  expect(await secondsOf("database", day(1))).toEqual([0, 0, 120]);
  expect(await secondsOf("database", day(0))).toEqual([near((before ?? 0) + 60), 0, 180]);
});

test("two runs at once count once", async () => {
  await wait(90);
  const [before = 0] = await secondsOf("mails");
  await database.client.query("begin");
  await database.client.query("update status_days set works_s = works_s + 90, measured_at = now()");
  const second = note("works");
  const waiting = () => database.client.query("select from pg_locks where not granted");
  await expect.poll(async () => (await waiting()).rowCount).toBeGreaterThan(0);
  await database.client.query("commit");
  await second;
  expect(await secondsOf("mails")).toEqual([before + 90, expect.any(Number), expect.any(Number)]);
});

test.each([86_400, 40])("a clock that was set back by %i seconds takes nothing away", async (seconds) => {
  await wait(-seconds);
  const [before = 0] = await secondsOf("mails");
  await note("works");
  const [after = 0] = await secondsOf("mails");
  expect(after - before).toBe(seconds > 60 ? 60 : 0);
});

test("days are shown for 90 days", async () => {
  await database.client.query(
    `insert into status_days (part, day, works_s, late_s, fails_s)
     select 'posts', (now() at time zone 'UTC')::date - n, 60, 0, 0 from unnest('{89,90}'::int[]) n`,
  );
  const { days } = await readStatusHistory(db());
  expect(days.filter(({ part }) => part === "posts")).toHaveLength(1);
});

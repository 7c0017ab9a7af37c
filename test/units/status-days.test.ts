import { expect, test } from "vitest";
import { daysOf, worked } from "../../functions/web/pages/status/days.ts";
import { History } from "../../functions/web/pages/status/history.tsx";

const NOON = Date.parse("2026-11-29T12:00:00Z");
const row = (day: string, works_s: number, late_s = 0, fails_s = 0) => ({
  part: "mails" as const,
  day,
  works_s,
  late_s,
  fails_s,
});

test("a day without a measurement is neither good nor bad, and today is measured by the hours that passed", () => {
  const days = daysOf(
    "mails",
    [row("2026-11-29", 43_200), row("2026-11-28", 43_200), row("2026-11-27", 1, 1)],
    NOON,
  );
  expect(days).toHaveLength(90);
  expect(
    days.slice(-4).map(({ day, condition, share }) => [day, condition, Math.round(share * 100)]),
  ).toEqual([
    ["2026-11-26", "unmeasured", 0],
    ["2026-11-27", "late", 0],
    ["2026-11-28", "works", 50],
    ["2026-11-29", "works", 100],
  ]);
});

test("the worst that was measured is a day's condition, and another part's days are not its own", () => {
  const days = daysOf("mails", [row("2026-11-29", 10, 10, 1)], NOON);
  expect(days.at(-1)).toMatchObject({ condition: "fails", fails: 1, late: 10 });
  expect(daysOf("posts", [row("2026-11-29", 10)], NOON).at(-1)?.condition).toBe("unmeasured");
});

test("the share that worked is never rounded up to all, and there is none without a measurement", () => {
  expect(worked(daysOf("mails", [row("2026-11-29", 86_399, 0, 1)], NOON))).toBe("99.99 %");
  expect(worked(daysOf("mails", [row("2026-11-29", 0, 60)], NOON))).toBe("100 %");
  expect(worked(daysOf("mails", [], NOON))).toBeUndefined();
});

test("no day has more seconds than have passed, however often a clock was set back, and failures stay", () => {
  const whole = [row("2026-11-28", 86_400, 3_000, 1_000), row("2026-11-29", 50_000, 0, 60)];
  const [yesterday, today] = daysOf("mails", whole, NOON).slice(-2);
  expect(yesterday).toMatchObject({ measured: 86_400, late: 3_000, fails: 1_000, share: 1 });
  expect(today).toMatchObject({ measured: 43_200, late: 0, fails: 60, share: 1 });
  const bad = daysOf("mails", [row("2026-11-28", 0, 86_400, 86_000)], NOON).at(-2);
  expect(bad).toMatchObject({ measured: 86_400, late: 400, fails: 86_000 });
});

test("ten days with trouble stand there, and the others are folded", () => {
  const badDays = Array.from({ length: 12 }, (_, at) =>
    row(new Date(Date.now() - at * 86_400_000).toISOString().slice(0, 10), 40_000, 0, 600),
  );
  const [shown = "", folded = ""] = String(History({ of: { days: badDays, incidents: [] } })).split(
    "<summary>",
  );
  expect([shown, folded].map((html) => html.split("<time ").length - 1)).toEqual([10, 2]);
  expect(folded).toMatch(/^2 more</);
  expect(String(History({ of: { days: badDays.slice(2), incidents: [] } }))).not.toContain("<summary>");
});

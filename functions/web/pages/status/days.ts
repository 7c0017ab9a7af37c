import {
  type Condition,
  HISTORY_DAYS,
  type StatusHistory,
  type StatusPart,
} from "../../../../db/queries/status-history.ts";

/** A part's day. Its condition is the worst that was measured. */
export interface StatusDay {
  day: string;
  condition: Condition | "unmeasured";
  /** Seconds. */
  measured: number;
  late: number;
  fails: number;
  /** Part of the day, so far, that was measured. */
  share: number;
}

const DAY_MS = 86_400_000;

/** The last days of a part, the oldest first. */
export function daysOf(part: StatusPart, rows: StatusHistory["days"], nowMs: number): StatusDay[] {
  const known = new Map(rows.filter((row) => row.part === part).map((row) => [row.day, row]));
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  return Array.from({ length: HISTORY_DAYS }, (_, at) => {
    const begin = today - (HISTORY_DAYS - 1 - at) * DAY_MS;
    const day = new Date(begin).toISOString().slice(0, 10);
    const { works_s = 0, late_s = 0, fails_s = 0 } = known.get(day) ?? {};
    const passed = Math.floor(Math.min(DAY_MS, Math.max(60_000, nowMs - begin)) / 1000);
    // A clock that is set back measures the same time twice. Failures come first then.
    const fails = Math.min(passed, fails_s);
    const late = Math.min(passed - fails, late_s);
    const measured = Math.min(passed, works_s + late_s + fails_s);
    return {
      day,
      condition: conditionOf(measured, late, fails),
      measured,
      late,
      fails,
      share: measured / passed,
    };
  });
}

function conditionOf(measured: number, late: number, fails: number): StatusDay["condition"] {
  if (measured === 0) return "unmeasured";
  if (fails > 0) return "fails";
  return late > 0 ? "late" : "works";
}

/** `99.98 %` of the measured time, never rounded up to all of it. Undefined without a measurement. */
export function worked(days: readonly StatusDay[]): string | undefined {
  const measured = days.reduce((sum, day) => sum + day.measured, 0);
  const fails = days.reduce((sum, day) => sum + day.fails, 0);
  return measured === 0 ? undefined : `${Math.floor(10_000 * (1 - fails / measured)) / 100} %`;
}

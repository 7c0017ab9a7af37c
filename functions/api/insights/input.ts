import * as z from "zod";
import type { Dimension } from "../../../db/queries/insights-by.ts";
import { HOURS_KEPT_DAYS, type Interval, type Range } from "../../../db/queries/insights-range.ts";
import { invalid } from "../../lib/http/errors.ts";
import { about, documentedAs } from "../../lib/text/fields.ts";

const INTERVALS = ["hour", "day", "month"] as const satisfies readonly Interval[];

/** Names of dimensions in requests and replies. */
const DIMENSIONS: Record<string, Dimension> = {
  country: "country",
  app: "app",
  referrer: "referrer",
  progress: "quarter",
  track: "track",
};
const BREAKDOWNS = ["country", "app", "referrer", "progress", "track"] as const;
export type Breakdown = (typeof BREAKDOWNS)[number];
export const dimensionOf = (by: Breakdown): Dimension => DIMENSIONS[by] ?? "track";

const DATE = "must be a date such as 2026-11-28";
const LIST = `must be of ${BREAKDOWNS.join(", ")}, with commas between`;

const Day = z.iso
  .date({ error: DATE, abort: true })
  .refine((day) => day >= "2000-01-01" && day < "2100-01-01", DATE);

export const InsightsQuery = z.object({
  from: Day.optional().meta(
    about(
      "The first day, in UTC. Default: 28 days to `to`, 2 days for hours, 12 months for months.",
      "2026-11-01",
    ),
  ),
  to: Day.optional().meta(about("The last day, in UTC. Default: today.", "2026-11-28")),
  interval: z
    .enum(INTERVALS)
    .default("day")
    .describe(
      `Length of a period. Hours are kept for ${HOURS_KEPT_DAYS} days; a request spans up to 731 days; months are whole, so they widen the range.`,
    ),
  by: z
    .string()
    .transform((text) => [...new Set(text.split(",").map((name) => name.trim()))])
    .refine(
      (names): names is Breakdown[] => names.every((name) => BREAKDOWNS.some((one) => one === name)),
      LIST,
    )
    .optional()
    .meta({
      ...documentedAs({ type: "string", example: "country,app" }),
      description:
        "Breakdowns of the plays, comma-separated: `country`, `app`, `referrer`, `progress` and `track`.",
    }),
});
export type InsightsQuery = z.output<typeof InsightsQuery>;

const DAY_MS = 86_400_000;
const MOST_DAYS = 731;

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Both days belong to it. */
export interface Days {
  from: string;
  to: string;
}

/** Returns the requested days. Throws 422 for a range that is too long or too old. */
export function daysOf({ from, to, interval }: InsightsQuery, nowMs = Date.now()): Days {
  const last = to ?? dayOf(nowMs);
  const lastMs = Date.parse(last);
  const back = { hour: 1, day: 27, month: 364 }[interval];
  const first = from ?? dayOf(lastMs - back * DAY_MS);
  if (first > last) invalid(to === undefined ? "from: is in the future" : "from: is after to");
  if (interval === "hour" && first < dayOf(nowMs - HOURS_KEPT_DAYS * DAY_MS))
    invalid(`from: hours are kept for ${HOURS_KEPT_DAYS} days`);
  if (interval !== "month") {
    if (lastMs - Date.parse(first) >= MOST_DAYS * DAY_MS)
      invalid(`from: may be ${MOST_DAYS} days before to at most; longer ranges take interval=month`);
    return { from: first, to: last };
  }
  const end = new Date(lastMs);
  const endOfMonth = Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1) - DAY_MS;
  return { from: `${first.slice(0, 8)}01`, to: dayOf(endOfMonth) };
}

export const rangeOf = ({ from, to }: Days, interval: Interval): Range => ({
  from: new Date(from).toISOString(),
  to: new Date(Date.parse(to) + DAY_MS).toISOString(),
  interval,
});

/** Starts of the periods of a range, up to now. */
export function startsOf({ from, to, interval }: Range): number[] {
  const starts: number[] = [];
  const endMs = Math.min(Date.parse(to), Date.now());
  for (let at = Date.parse(from); at < endMs; at = nextOf(at, interval)) starts.push(at);
  return starts;
}

function nextOf(ms: number, interval: Interval): number {
  const at = new Date(ms);
  if (interval === "month") return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1);
  return ms + (interval === "day" ? DAY_MS : DAY_MS / 24);
}

import * as z from "zod";
import { COUNTS, type Counts, type InsightsRow } from "../../../db/queries/insights.ts";
import type { BreakdownRow } from "../../../db/queries/insights-by.ts";
import type { Interval } from "../../../db/queries/insights-range.ts";
import { about } from "../../lib/text/fields.ts";
import { type Breakdown, type Days, dimensionOf, rangeOf, startsOf } from "./input.ts";

/** Negative for a period in which more was taken back than given. */
const Net = z.int();

const counts = {
  plays: Net.meta(about("Plays, as in `playback_count`.", 120)),
  downloads: Net.meta(about("Downloads of the original.", 3)),
  likes: Net.meta(about("Likes less those taken back, so it may be negative.", 14)),
  reposts: Net.meta(about("Reposts less those taken back.", 2)),
  comments: Net.meta(about("Comments less deleted ones.", 1)),
  followers: Net.meta(about("Followers less those who left. 0 for a track or a playlist.", 5)),
};

const InsightCounts = z.strictObject(counts).meta({ id: "InsightCounts" });

const Listeners = z
  .int()
  .min(0)
  .nullable()
  .meta(
    about(
      "Number of different listeners, estimated with a standard error of 4.6%; almost always exact up to a few dozen. A few minutes behind the plays. Null for hours.",
      87,
    ),
  );

const InsightPeriod = z
  .strictObject({
    start: z.iso.datetime().meta(about("The start of the period, in UTC.", "2026-11-28T00:00:00.000Z")),
    ...counts,
    listeners: Listeners,
  })
  .meta({ id: "InsightPeriod" });

const InsightShare = z
  .strictObject({
    value: z
      .string()
      .nullable()
      .meta(
        about(
          "A country (ISO 3166-1), the client id of an app, a host, the percentage that was reached, or a track's id. Null for all others together: what is unknown, countries with fewer than five listeners, and what comes after the first 50.",
          "DE",
        ),
      ),
    name: z.string().nullable().meta(about("The name of an app or the title of a track.", null)),
    plays: Net.meta(about("Plays, as in `playback_count`. By `progress`, those that got that far.", 61)),
    likes: Net.optional().meta(about("By `track` only.", 4)),
    downloads: Net.optional().meta(about("By `track` only.", 0)),
  })
  .meta({ id: "InsightShare" });
export type InsightShare = z.infer<typeof InsightShare>;

const Shares = z.array(InsightShare).nullable();

export const Insights = z
  .strictObject({
    kind: z.literal("insights").describe("Always `insights`."),
    title: z
      .string()
      .nullable()
      .meta(about("Title of the track or playlist; null for all tracks.", "Night train")),
    permalink_url: z
      .url()
      .nullable()
      .meta(about("Its page; null for all tracks.", "https://soundpost.example/ana/night-train")),
    from: z.iso.date().meta(about("The first day.", "2026-11-01")),
    to: z.iso.date().meta(about("The last day, which is part of the range.", "2026-11-28")),
    interval: z.enum(["hour", "day", "month"]).describe("Length of a period."),
    time_zone: z.literal("UTC").describe("All days and hours are in UTC."),
    totals: z
      .strictObject({ ...counts, listeners: Listeners })
      .meta({ id: "InsightTotals" })
      .describe("Sums of the periods. Who listened on several days is one listener."),
    all_time: InsightCounts.describe("The counters as they stand now."),
    before: InsightCounts.describe(
      "The part of `all_time` without a time: what was counted before this service kept times. The rest is what all periods add up to.",
    ),
    periods: z.array(InsightPeriod).describe("All periods of the range up to now, oldest first."),
    by: z
      .strictObject({
        country: Shares.describe("By the listener's country."),
        app: Shares.describe(
          "By the app that asked for the stream; `site`, `embed` and `feed` are the service's own.",
        ),
        referrer: Shares.describe("By the host of the page that plays, embeds or led to the track."),
        progress: Shares.describe("By how far plays went, in percent."),
        track: Shares.describe("The 100 most played tracks."),
      })
      .describe("The breakdowns that were asked for, most plays first. The others are null."),
  })
  .meta({ id: "Insights" });
export type Insights = z.infer<typeof Insights>;

/** Limit of values in a breakdown. The plays of all others are added up. */
const MOST_VALUES = 50;

export function representInsights(
  pageUrl: string | null,
  row: InsightsRow,
  { days, interval, by }: { days: Days; interval: Interval; by: readonly Breakdown[] },
): Insights {
  const periodAt = new Map(row.periods.map((period) => [period.at * 1000, period]));
  const listenersAt = new Map(row.listened.map(({ at, listeners }) => [at * 1000, listeners]));
  const periods = startsOf(rangeOf(days, interval)).map((at) => ({
    start: new Date(at).toISOString(),
    ...countsOf(periodAt.get(at)),
    listeners: interval === "hour" ? null : (listenersAt.get(at) ?? 0),
  }));
  return {
    kind: "insights",
    title: row.title,
    permalink_url: pageUrl,
    ...days,
    interval,
    time_zone: "UTC",
    totals: {
      ...eachCount((count) => periods.reduce((sum, period) => sum + period[count], 0)),
      listeners: row.listeners,
    },
    all_time: countsOf(row.now),
    before: countsOf(row.before),
    periods,
    by: sharesBy((name) => (by.includes(name) ? sharesOf(name, row.by[dimensionOf(name)] ?? []) : null)),
  };
}

const eachCount = (of: (count: (typeof COUNTS)[number]) => number): Counts =>
  Object.fromEntries(COUNTS.map((count) => [count, of(count)])) as Counts;

const countsOf = (counted: Counts | undefined): Counts => eachCount((count) => Number(counted?.[count] ?? 0));

const sharesBy = (of: (by: Breakdown) => InsightShare[] | null): Insights["by"] => ({
  country: of("country"),
  app: of("app"),
  referrer: of("referrer"),
  progress: of("progress"),
  track: of("track"),
});

function sharesOf(by: Breakdown, rows: BreakdownRow[]): InsightShare[] {
  if (by === "progress") return progressOf(rows);
  const shares = rows.map(({ value, name, ...numbers }) => ({
    value: value || null,
    name: name ?? null,
    ...numbers,
  }));
  if (by === "track") return shares;
  const named = shares.filter(({ value }) => value !== null).slice(0, MOST_VALUES);
  const all = shares.reduce((sum, { plays }) => sum + plays, 0);
  const rest = all - named.reduce((sum, { plays }) => sum + plays, 0);
  return rest === 0 ? named : [...named, { value: null, name: null, plays: rest }];
}

/** A play that came to its end has passed all quarters. */
const progressOf = (rows: BreakdownRow[]): InsightShare[] =>
  [1, 2, 3, 4].map((quarter) => ({
    value: String(quarter * 25),
    name: null,
    plays: rows.filter(({ value }) => Number(value) >= quarter).reduce((sum, { plays }) => sum + plays, 0),
  }));

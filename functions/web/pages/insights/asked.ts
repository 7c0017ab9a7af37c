import type { Context } from "hono";
import type { AppEnv } from "../../../lib/http/env.ts";

/** Ranges of the pages, in days, with the length of their periods. `all` goes back as far as there is anything. */
export const RANGES = [
  { name: "7", label: "7 days", interval: "day" },
  { name: "28", label: "28 days", interval: "day" },
  { name: "90", label: "90 days", interval: "day" },
  { name: "365", label: "12 months", interval: "month" },
  { name: "all", label: "All time", interval: "month" },
] as const;
type RangeName = (typeof RANGES)[number]["name"];

/** Measures of the chart. Playlists and tracks have no followers. */
export const MEASURES = [
  ["plays", "Plays"],
  ["listeners", "Listeners"],
  ["likes", "Likes"],
  ["downloads", "Downloads"],
  ["reposts", "Reposts"],
  ["comments", "Comments"],
  ["followers", "Followers"],
] as const;
type Measure = (typeof MEASURES)[number][0];

/** Paths of the subject: in the API, and on the site. */
export interface Place {
  api: string;
  site: string;
  /** Whether it is all that the reader has published. */
  isWhole: boolean;
}

export interface Asked {
  range: RangeName;
  show: Measure;
}

/** No track is older than the service's ids. */
const FIRST_DAY = "2024-01-01";
const DAY_MS = 86_400_000;

/** Unknown choices are ignored. */
export function askedOf(c: Context<AppEnv>): Asked {
  const { range, show } = c.req.query();
  return {
    range: RANGES.find(({ name }) => name === range)?.name ?? "28",
    show: MEASURES.find(([name]) => name === show)?.[0] ?? "plays",
  };
}

/** The query of the API for a range. */
export function queryOf(range: RangeName, nowMs = Date.now()): string {
  const interval = RANGES.find(({ name }) => name === range)?.interval ?? "day";
  const from =
    range === "all" ? FIRST_DAY : new Date(nowMs - (Number(range) - 1) * DAY_MS).toISOString().slice(0, 10);
  return new URLSearchParams({ from, interval }).toString();
}

export const pathOf = ({ site }: Place, { range, show }: Asked): string =>
  `${site}?${new URLSearchParams({ range, show })}`;

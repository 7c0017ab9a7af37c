/** Days for which hours are kept. */
export const HOURS_KEPT_DAYS = 40;

/** All tracks of the caller, one track, or the tracks of the caller in a playlist. */
export type Subject = { kind: "me" } | { kind: "track" | "playlist"; id: number };

export type Interval = "hour" | "day" | "month";

/** UTC, as PostgreSQL reads it. */
export interface Range {
  from: string;
  /** The end, which is not part of it. */
  to: string;
  interval: Interval;
}

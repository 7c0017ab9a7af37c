import * as z from "zod";

/** `yyyy-mm-dd hh:mm:ss` in UTC, what our replies write, and RFC 3339 §5.6, whose offset tells the zone. */
const FORMS = [
  /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/,
  // A plus sign that nobody encoded arrives as a blank.
  /^(\d{4})\/(\d\d)\/(\d\d) (\d\d):(\d\d):(\d\d)() ([ +-])(\d\d)(\d\d)$/,
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d{1,9})?(?:[Zz]|([ +-])(\d\d):(\d\d))$/,
];

/** Seconds since 1970, with their fraction. A parser of our own: PostgreSQL takes `now` and `infinity` as well. */
export function secondsOf(written: string): number | undefined {
  const parts = FORMS.map((form) => form.exec(written)).find(Boolean);
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const [fraction, sign, offsetHours = "0", offsetMinutes = "0"] = parts.slice(7);
  const at = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  // A day or an hour that is not there would have rolled over into the next.
  const isThere =
    at.getUTCMonth() === month - 1 && at.getUTCDate() === day && at.getUTCHours() === hour && minute < 60;
  const isZone = Number(offsetHours) < 24 && Number(offsetMinutes) < 60;
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === "-" ? -60 : 60);
  const seconds = at.getTime() / 1000 - offset + Number(fraction || 0);
  return isThere && isZone && second < 60 && year >= 1970 && seconds >= 0 ? seconds : undefined;
}

const NO_INSTANT =
  "must be a date as yyyy-mm-dd hh:mm:ss in UTC, yyyy/mm/dd hh:mm:ss +0000, or RFC 3339, from 1970 on";

/** A bound by time in a query. Times are compared by the second that is shown: `round` decides about a fraction. */
export const instantText = (round: (seconds: number) => number) =>
  z.string().transform((written, ctx) => {
    const seconds = secondsOf(written);
    if (seconds !== undefined) return round(seconds);
    ctx.addIssue({ code: "custom", message: NO_INSTANT, input: written });
    return z.NEVER;
  });

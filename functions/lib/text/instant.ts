import * as z from "zod";

/** `yyyy-mm-dd hh:mm:ss` in UTC, the format of replies, and RFC 3339 §5.6, whose offset gives the zone. */
const FORMS = [
  /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/,
  // An unencoded plus sign arrives as a space.
  /^(\d{4})\/(\d\d)\/(\d\d) (\d\d):(\d\d):(\d\d)() ([ +-])(\d\d)(\d\d)$/,
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d{1,9})?(?:[Zz]|([ +-])(\d\d):(\d\d))$/,
];

/**
 * Returns seconds since 1970 with their fraction. PostgreSQL's parser would also accept `now` and `infinity`.
 */
function secondsOf(written: string): number | undefined {
  const parts = FORMS.map((form) => form.exec(written)).find(Boolean);
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const [fraction, sign, offsetHours = "0", offsetMinutes = "0"] = parts.slice(7);
  const at = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  // Without this, a nonexistent day or hour would roll over into the next one.
  const isThere =
    at.getUTCMonth() === month - 1 && at.getUTCDate() === day && at.getUTCHours() === hour && minute < 60;
  const isZone = Number(offsetHours) < 24 && Number(offsetMinutes) < 60;
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === "-" ? -60 : 60);
  const seconds = at.getTime() / 1000 - offset + Number(fraction || 0);
  return isThere && isZone && second < 60 && year >= 1970 && seconds >= 0 ? seconds : undefined;
}

const NO_INSTANT =
  "must be a date as yyyy-mm-dd hh:mm:ss in UTC, yyyy/mm/dd hh:mm:ss +0000, or RFC 3339, from 1970 on";

/** A time with its zone. Whole seconds are stored; a fraction is rounded up, because nothing may happen before its time. */
export const rfc3339Text = z
  .string()
  .max(40)
  .transform((written, ctx) => {
    const seconds = /[Tt]/.test(written) ? secondsOf(written) : undefined;
    if (seconds !== undefined) return new Date(Math.ceil(seconds) * 1000).toISOString();
    ctx.addIssue({ code: "custom", message: "must be a time as RFC 3339", input: written });
    return z.NEVER;
  });

/** A time bound in a query. Times are compared by whole seconds; `round` decides about fractions. */
export const instantText = (round: (seconds: number) => number) =>
  z.string().transform((written, ctx) => {
    const seconds = secondsOf(written);
    if (seconds !== undefined) return round(seconds);
    ctx.addIssue({ code: "custom", message: NO_INSTANT, input: written });
    return z.NEVER;
  });

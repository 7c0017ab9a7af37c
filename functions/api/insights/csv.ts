import { COUNTS } from "../../../db/queries/insights.ts";
import { invalid } from "../../lib/http/errors.ts";
import type { Breakdown } from "./input.ts";
import type { Insights } from "./representation.ts";

type Cell = string | number | null | undefined;

/** Spreadsheets run text that begins like this as a formula: owasp.org/www-community/attacks/CSV_Injection */
const FORMULA = /^[=+\-@\t\r]/;

function cell(value: Cell): string {
  if (typeof value !== "string") return String(value ?? "");
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** RFC 4180. */
const csvOf = (rows: Cell[][]) => rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");

/** The periods, or the one breakdown that was asked for. */
export function insightsCsv(insights: Insights, by: readonly Breakdown[]): string {
  if (by.length > 1) invalid("by: CSV holds one table, so name one at most");
  const [one] = by;
  if (!one)
    return csvOf([
      ["start", ...COUNTS, "listeners"],
      ...insights.periods.map((period) => [
        period.start,
        ...COUNTS.map((count) => period[count]),
        period.listeners,
      ]),
    ]);
  const shares = insights.by[one] ?? [];
  return csvOf([
    [one, "name", "plays", ...(one === "track" ? ["likes", "downloads"] : [])],
    ...shares.map(({ value, name, plays, likes, downloads }) => [
      value ?? "other",
      name,
      plays,
      ...(one === "track" ? [likes, downloads] : []),
    ]),
  ]);
}

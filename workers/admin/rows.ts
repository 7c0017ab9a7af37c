import { integerText, plainIdText } from "../../functions/lib/text/fields.ts";
import { check, type Invocation } from "./arguments.ts";

/** Rows of a list, unless `--limit` says otherwise. */
const ROWS = "50";
const MOST_ROWS = 1_000;

/** Reads which rows of a list to show. */
export function rowsIn(given: Invocation, name: "before" | "after"): { from: number | null; limit: number } {
  const from = given.option(name);
  return {
    from: from === undefined ? null : check(plainIdText, name, from),
    limit: check(integerText(1, MOST_ROWS), "limit", given.option("limit") ?? ROWS),
  };
}

import { sql } from "../../support/stack.ts";
import type { ThreeHostsBrowser } from "../site/three-hosts.ts";

/** The newest case about somebody's things. */
export async function caseOf(userId: number) {
  const [found] = await sql<{ id: number; kind: string; restored: boolean }>(
    "select id::float8 as id, kind, restored_at is not null as restored from removals where user_id = $1 order by id desc limit 1",
    [userId],
  );
  if (!found) throw new Error("nothing of the user was removed");
  return found;
}

/** A whole counter-notice. */
export const ANSWER = {
  statement: "I wrote it myself.",
  name: "Ana Example",
  contact: "1 Example Street\n+1 555 0100",
  sworn: "on",
  consent: "on",
};

export const answer = (browser: ThreeHostsBrowser, id: number, fields: Record<string, string> = ANSWER) =>
  browser.submit(`/you/removals/${id}`, `/you/removals/${id}`, fields);

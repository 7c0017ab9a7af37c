import { and, desc, gt, gte, isNotNull, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Database, Reader } from "../client.ts";
import { budgets } from "../schema/budgets.ts";
import { comments } from "../schema/comments.ts";
import { reports } from "../schema/moderation.ts";
import { accounts, users } from "../schema/people.ts";
import { tracks } from "../schema/tracks.ts";
import { selected } from "../stored-select.ts";
import { mayRead, type Operator } from "./acts.ts";
import { firstIdAt } from "./caller.ts";

/** Recent activity, as operators look for spam. */

/** Rows of each list: those with the most. */
const MOST = 100;

/** Adds up what each person did since then: the ids of rows hold their time, so each table is read from its end. */
function people(on: Reader, operator: Operator, hours: number) {
  const since = firstIdAt(sql`now() - make_interval(hours => ${hours})`);
  const rows = (kind: string, person: PgColumn, id: PgColumn) =>
    sql`select ${person} as user_id, ${kind}::text as kind from ${id.table} where ${gte(id, since)} and ${isNotNull(person)}`;
  const acts = sql`(${sql.join(
    [
      rows("sign-up", users.id, users.id),
      rows("comment", comments.userId, comments.id),
      rows("upload", tracks.userId, tracks.id),
      rows("report", reports.reporterId, reports.id),
    ],
    sql` union all `,
  )}) acts`;
  const count = (kind: string) => sql`count(*) filter (where acts.kind = ${kind})`.mapWith(Number);
  return on
    .select({
      id: users.id,
      username: users.username,
      email: accounts.email,
      confirmed: sql<boolean>`${accounts.confirmedAt} is not null`,
      suspended: sql<boolean>`${users.disabledAt} is not null`,
      signed_up: sql<boolean>`bool_or(acts.kind = 'sign-up')`,
      comments: count("comment"),
      uploads: count("upload"),
      reports: count("report"),
    })
    .from(acts)
    .innerJoin(users, sql`${users.id} = acts.user_id`)
    .leftJoin(accounts, sql`${accounts.userId} = ${users.id}`)
    .where(mayRead(operator))
    .groupBy(users.id, accounts.userId)
    .orderBy(desc(sql`count(*)`), desc(users.id))
    .limit(MOST);
}

/**
 * Adds up sign-ups and reports by network address. Only budgets know addresses, for an hour at most and without a link to an
 * account.
 */
function addresses(on: Reader, operator: Operator) {
  const name = sql`split_part(${budgets.bucket}, ' ', 1)`;
  const taken = (of: string) =>
    sql`coalesce(sum(${budgets.taken}) filter (where ${name} = ${of}), 0)`.mapWith(Number);
  return on
    .select({
      address: sql<string>`split_part(${budgets.bucket}, ' ', 2)`,
      sign_ups: taken("sign-ups"),
      reports: taken("reports"),
    })
    .from(budgets)
    .where(and(mayRead(operator), sql`${name} in ('sign-ups', 'reports')`, gt(budgets.endsAt, sql`now()`)))
    .groupBy(sql`1`)
    .orderBy(desc(sql`sum(${budgets.taken})`), sql`1`)
    .limit(MOST);
}

/** The last hours' activity by person, and the last hour's by address. */
export async function showRecent(db: Database, operator: Operator, hours: number) {
  const [persons, networks] = await db.readAll([
    selected(people(db.drizzle, operator, hours)),
    selected(addresses(db.drizzle, operator)),
  ]);
  return { persons, networks };
}

export type RecentPerson = Awaited<ReturnType<typeof showRecent>>["persons"][number];

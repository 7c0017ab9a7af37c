import { and, desc, eq, lt, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Database, Reader } from "../client.ts";
import { auditLog } from "../schema/moderation.ts";
import { createdAt, type SignedIn } from "./caller.ts";

/** Acts of operators, and the audit log. Each act is one statement that also writes the log. */

/**
 * The operator and the reason. The operator is a session that passed the second factor, or a name at the command
 * line.
 */
export type By = { reason: string | null } & (
  | { caller: { session: number; client: string; user: number } }
  | { actor: string }
);

/** A reader of operators' lists: a session, or the command line, which needs the database's password. */
export type Operator = SignedIn | "command line";

/** True, or the statement fails with `NotOperator` or `SecondFactorNeeded` before it reads or writes. */
const passed = (session: number, client: string, user: number) =>
  sql`require_operator(${JSON.stringify({ caller: { session, client, user } })})`;

/** The check of a list. Belongs in the outermost `where`, like that of an act. */
export const mayRead = (operator: Operator) =>
  operator === "command line" ? undefined : passed(operator.sessionId, operator.clientId, operator.userId);

export const mayAct = (by: By) =>
  "caller" in by ? passed(by.caller.session, by.caller.client, by.caller.user) : undefined;

/** The subject of an act. `name` is its name at that time. */
interface Target {
  kind: string;
  id: SQLWrapper | number | null;
  name: SQLWrapper | string | null;
}

/** A column that writes the log. It stands among those that the act's statement returns. */
export const noted = (by: By, act: string, { kind, id, name }: Target, details: SQL | object = {}) => {
  const written = "queryChunks" in details ? details : JSON.stringify(details);
  return sql<null>`nullif(note_act(${JSON.stringify(by)}, ${act}, ${kind}, ${id}, ${name}, ${written})::text, '')`;
};

/** The page begins below this id. Null for the first page. */
export interface Page {
  before: number | null;
  limit: number;
}

export const below = (id: PgColumn, before: number | null) => (before === null ? undefined : lt(id, before));

/** All acts, or those on one kind of target, or on one target. */
interface Acted {
  kind: string | null;
  id: SQLWrapper | number | null;
}

/** Acts that stand on the page of a user or a track. */
export const NEWEST: Page = { before: null, limit: 20 };

/** Selects acts, newest first. */
export const actsOn = (on: Reader, operator: Operator, { kind, id }: Acted, { before, limit }: Page) =>
  on
    .select({
      id: auditLog.id,
      created_at: createdAt(auditLog.id),
      actor: auditLog.actor,
      actor_id: auditLog.actorId,
      act: auditLog.act,
      target_kind: auditLog.targetKind,
      target_id: auditLog.targetId,
      target: auditLog.target,
      reason: auditLog.reason,
      details: sql<Record<string, unknown>>`${auditLog.details}`,
    })
    .from(auditLog)
    .where(
      and(
        mayRead(operator),
        below(auditLog.id, before),
        kind === null ? undefined : eq(auditLog.targetKind, kind),
        id === null ? undefined : eq(auditLog.targetId, id),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(limit);

export type Act = Awaited<ReturnType<typeof actsOn>>[number];

export const listActs = (db: Database, operator: Operator, target: Acted, page: Page) =>
  db.read((on) => actsOn(on, operator, target, page));

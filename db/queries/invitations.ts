import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { invitations } from "../schema/invitations.ts";
import { auditLog } from "../schema/moderation.ts";
import { type By, below, mayAct, mayRead, noted, type Operator, type Page } from "./acts.ts";
import { createdAt, firstRow, moment, onlyRow } from "./caller.ts";

/** Invitations to sign up. Only the hash of a code is stored, so a link is shown once. */

export type InvitationState = "open" | "used_up" | "expired" | "ended";

/** Whether it lets anybody in, or why not. */
export const invitationState = sql<InvitationState>`case when ${invitations.endedAt} is not null then 'ended'
  when ${invitations.expiresAt} <= now() then 'expired' when ${invitations.used} >= ${invitations.uses} then 'used_up'
  else 'open' end`;

/** `undefined`: nobody made an invitation with this code. */
export const findInvitationState = (db: Database, codeHash: string) =>
  db
    .read((on) =>
      on.select({ state: invitationState }).from(invitations).where(eq(invitations.codeHash, codeHash)),
    )
    .then((rows) => firstRow(rows)?.state);

interface NewInvitation {
  codeHash: string;
  uses: number;
  days: number;
  note: string | null;
}

/** An insert has no `where`, so the end checks who acts. */
export const makeInvitation = (db: Database, by: By, { codeHash, uses, days, note }: NewInvitation) =>
  db
    .write((on) => {
      const made = on.$with("made").as(
        on
          .insert(invitations)
          .values({ codeHash, uses, note, expiresAt: sql`now() + make_interval(days => ${days})` })
          .returning({ id: invitations.id, expiresAt: invitations.expiresAt }),
      );
      const target = { kind: "invitation", id: made.id, name: note };
      return on
        .with(made)
        .select({
          id: made.id,
          expires_at: moment<string>(made.expiresAt),
          noted: noted(by, "invitation.create", target, { uses, days }),
        })
        .from(made)
        .where(mayAct(by));
    })
    .then(onlyRow)
    .then(({ id, expires_at }) => ({ id, expires_at }));

/** The newest first. */
export const listInvitations = (db: Database, operator: Operator, { before, limit }: Page) =>
  db.read((on) => {
    const making = and(
      eq(auditLog.targetKind, "invitation"),
      eq(auditLog.targetId, invitations.id),
      eq(auditLog.act, "invitation.create"),
    );
    return on
      .select({
        id: invitations.id,
        state: invitationState,
        note: invitations.note,
        uses: invitations.uses,
        used: invitations.used,
        expires_at: moment<string>(invitations.expiresAt),
        ended_at: moment<string | null>(invitations.endedAt),
        made_by: auditLog.actor,
        created_at: createdAt(invitations.id),
      })
      .from(invitations)
      .leftJoin(auditLog, making)
      .where(and(mayRead(operator), below(invitations.id, before)))
      .orderBy(desc(invitations.id))
      .limit(limit);
  });

export type InvitationRow = Awaited<ReturnType<typeof listInvitations>>[number];

/** Ends an invitation before its time. Accounts that it made stay. */
export async function endInvitation(db: Database, by: By, id: number): Promise<"done" | "ended" | "unknown"> {
  const [found] = await db.write((on) => {
    const ended = on.$with("ended").as(
      on
        .update(invitations)
        .set({ endedAt: sql`now()` })
        .where(and(mayAct(by), eq(invitations.id, id), isNull(invitations.endedAt)))
        .returning({ id: invitations.id }),
    );
    const target = { kind: "invitation", id: invitations.id, name: invitations.note };
    const written = noted(by, "invitation.end", target);
    return on
      .with(ended)
      .select({ ended: ended.id, noted: sql`case when ${ended.id} is not null then ${written} end` })
      .from(invitations)
      .leftJoin(ended, eq(ended.id, invitations.id))
      .where(and(mayAct(by), eq(invitations.id, id)));
  });
  if (!found) return "unknown";
  return found.ended === null ? "ended" : "done";
}

import { and, desc, eq } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { removals } from "../schema/removals.ts";
import { below, type Page } from "./acts.ts";
import { Limited } from "./budgets.ts";
import { callAs, firstRow, type SignedIn, signedIn } from "./caller.ts";
import { noticesOf, shownCase } from "./moderation-removals.ts";

/** Removed posts, as their owners see and answer them. */

export const listOwnRemovals = (db: Database, caller: SignedIn, { before, limit }: Page) =>
  db.read((on) =>
    on
      .select(shownCase)
      .from(removals)
      .where(and(signedIn(caller), eq(removals.userId, caller.userId), below(removals.id, before)))
      .orderBy(desc(removals.id))
      .limit(limit),
  );

export type OwnRemoval = Awaited<ReturnType<typeof listOwnRemovals>>[number];

export const showOwnRemoval = (db: Database, caller: SignedIn, id: number) =>
  db
    .read((on) =>
      on
        .select({ ...shownCase, notices: noticesOf })
        .from(removals)
        .where(and(signedIn(caller), eq(removals.userId, caller.userId), eq(removals.id, id))),
    )
    .then(firstRow);

export type ShownOwnRemoval = NonNullable<Awaited<ReturnType<typeof showOwnRemoval>>>;

interface CounterNotice {
  statement: string;
  name: string;
  contact: string;
}

const Sent = () =>
  z.union([z.strictObject({ outcome: z.enum(["done", "unknown", "restored", "open"]) }), Limited()]);

/** Keeps the owner's answer and tells of it. `open`: an earlier one waits. */
export const sendCounterNotice = (
  db: Database,
  caller: SignedIn,
  removal: number,
  notice: CounterNotice,
  mail: { to: string; sealed: Uint8Array } | undefined,
) =>
  callAs(db, "send_counter_notice", Sent, caller, {
    removal,
    notice,
    mail_to: mail?.to ?? null,
    mail: mail?.sealed ?? null,
  });

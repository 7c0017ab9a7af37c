import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { operators } from "../schema/operators.ts";
import { users } from "../schema/people.ts";
import { type By, mayRead, noted } from "./acts.ts";
import { Limited } from "./budgets.ts";
import { callAs, moment, onlyRow, type SignedIn } from "./caller.ts";
import { idOf, type NamedUser } from "./moderation.ts";

/** Operators and their second factor. Callers who are not operators fail with `NotOperator`. */

/** `enter`: the session has yet to pass the second factor; `enrol`: there is none yet. */
type State = "enrol" | "enter" | "passed";

const stateOf = ({ sessionId, clientId, userId }: SignedIn) =>
  sql<State>`operator_state(${sessionId}, ${clientId}, ${userId})`;

/** Shows how far the session has come towards the operators' pages. */
export const showOperatorEntry = (db: Database, user: SignedIn) =>
  db
    .read((on) =>
      on
        .select({
          state: stateOf(user),
          username: users.username,
          /** Recovery codes that are left. */
          recovery_codes: sql<number>`cardinality(${operators.recoveryHashes})`,
        })
        .from(operators)
        .innerJoin(users, eq(users.id, operators.userId))
        .where(and(eq(operators.userId, user.userId), sql`${stateOf(user)} is not null`)),
    )
    .then(onlyRow);

/** Fails with `NotOperator` or `SecondFactorNeeded` unless the session may act as an operator. */
export const requireOperator = (db: Database, user: SignedIn) => db.read(sql`select ${mayRead(user)}`);

interface SecondFactor {
  /** Hash of the code that the command line printed. */
  codeHash: string;
  secretSealed: Uint8Array;
  /** Time step of the first code. */
  step: number;
  recoveryHashes: string[];
}

const Enrolled = () =>
  z.union([z.strictObject({ outcome: z.enum(["done", "already", "wrong", "expired"]) }), Limited()]);

/** Stores the second factor if the code is right. `already`: there is one. */
export const enrolSecondFactor = (db: Database, user: SignedIn, factor: SecondFactor) =>
  callAs(db, "enrol_second_factor", Enrolled, user, {
    code: factor.codeHash,
    secret: factor.secretSealed,
    step: factor.step,
    recovery: factor.recoveryHashes,
  });

const Begun = () =>
  z.union([
    z.strictObject({ outcome: z.literal("enrol") }),
    Limited(),
    z.strictObject({
      outcome: z.literal("open"),
      attempt: z.string(),
      /** Sealed, Base64. */
      secret: z.string(),
    }),
  ]);

/** Counts an attempt and returns the secret to verify it with. */
export const beginSecondFactor = (db: Database, user: SignedIn) =>
  callAs(db, "begin_second_factor", Begun, user, { enrolling: false });

interface Presented {
  attempt: string;
  /** The sealed secret that `beginSecondFactor` returned. */
  secretSealed: Uint8Array;
  /** Time step of the code; null for a recovery code. */
  step: number | null;
  recoveryHash: string | null;
}

/** Lets the session pass. False if the code was used before. */
export const passSecondFactor = (db: Database, user: SignedIn, presented: Presented) =>
  callAs(db, "pass_second_factor", () => z.boolean(), user, {
    secret: presented.secretSealed,
    step: presented.step,
    recovery: presented.recoveryHash,
    attempt: presented.attempt,
  });

/** A code for the first entry. */
interface EntryCode {
  hash: string;
  ttlS: number;
}

const InvitedOperator = () =>
  z
    .strictObject({
      id: z.number(),
      username: z.string(),
      /** Null if the operator has a second factor already, and needs no code. */
      code_expires_at: z.string().nullable(),
    })
    .nullable();

const inviting = (by: By, user: NamedUser, { hash, ttlS }: EntryCode) => ({
  by,
  user: idOf(user),
  code: hash,
  code_ttl: ttlS,
});

/** Null if there is no such user, or nobody can sign in as it. */
export const addOperator = (db: Database, by: By, user: NamedUser, code: EntryCode) =>
  db.call("add_operator", InvitedOperator, inviting(by, user, code), "repeatable");

/**
 * Takes the role from a user and ends the passed second factors of the user's browsers. `undefined` if the user is
 * no operator.
 */
export const removeOperator = (db: Database, by: By, user: NamedUser) =>
  db
    .write((on) => {
      const removed = on.$with("removed").as(
        on
          .delete(operators)
          .where(eq(operators.userId, idOf(user)))
          .returning({ userId: operators.userId }),
      );
      const target = { kind: "user", id: users.id, name: users.permalink };
      return on
        .with(removed)
        .select({ id: users.id, username: users.username, noted: noted(by, "operator.remove", target) })
        .from(removed)
        .innerJoin(users, eq(users.id, removed.userId));
    })
    .then(([removed]) => removed && { id: removed.id, username: removed.username });

/** Null if the user is no operator. */
export const resetSecondFactor = (db: Database, by: By, user: NamedUser, code: EntryCode) =>
  db.call("reset_second_factor", InvitedOperator, inviting(by, user, code), "repeatable");

export const listOperators = (db: Database) =>
  db.read((on) =>
    on
      .select({
        id: users.id,
        username: users.username,
        added_at: moment(operators.addedAt),
        /** Null until the second factor is set up. */
        enrolled_at: moment<string | null>(operators.enrolledAt),
        /** End of the code for the first entry. Null once it was used. */
        code_expires_at: moment<string | null>(operators.codeExpiresAt),
        /** Recovery codes that are left. */
        recovery_codes: sql<number>`cardinality(${operators.recoveryHashes})`,
      })
      .from(operators)
      .innerJoin(users, eq(users.id, operators.userId))
      .orderBy(operators.addedAt),
  );

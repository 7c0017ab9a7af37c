import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { operators } from "../schema/operators.ts";
import { users } from "../schema/people.ts";
import { Limited } from "./accounts.ts";
import { callAs, moment, repeatAs, type SignedIn } from "./caller.ts";
import type { By } from "./moderation.ts";
import type { NamedUser } from "./operators.ts";

/** Operators and their second factor. Callers who are none fail with `NotOperator`. */

/** `enter`: the session has yet to pass the second factor; `enrol`: there is none yet. */
const State = () => z.enum(["enrol", "enter", "passed"]);

const OperatorEntry = () =>
  z.strictObject({
    state: State(),
    username: z.string(),
    /** Recovery codes that are left. */
    recovery_codes: z.number(),
  });

/** Shows how far the session has come towards the operators' pages. */
export const showOperatorEntry = (db: Database, user: SignedIn) =>
  repeatAs(db, "show_operator_entry", OperatorEntry, user, {});

/** Fails with `NotOperator` or `SecondFactorNeeded` unless the session may act as an operator. */
export const requireOperator = (db: Database, user: SignedIn) =>
  repeatAs(db, "require_operator", () => z.boolean(), user, {});

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
  callAs(db, "begin_second_factor", Begun, user, {});

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

const NamedOperator = () => z.strictObject({ id: z.number(), username: z.string() }).nullable();

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
  user,
  code: hash,
  code_ttl: ttlS,
});

/** Null if there is no such user, or nobody can sign in as it. */
export const addOperator = (db: Database, by: By, user: NamedUser, code: EntryCode) =>
  db.call("add_operator", InvitedOperator, inviting(by, user, code), "repeatable");

/** Null if the user is no operator. */
export const removeOperator = (db: Database, by: By, user: NamedUser) =>
  db.call("remove_operator", NamedOperator, { by, user });

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

import * as z from "zod";
import type { Database } from "../client.ts";
import { callAs, repeatAs, type SignedIn } from "./caller.ts";
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
  secretSealed: Uint8Array;
  /** Time step of the first code. */
  step: number;
  recoveryHashes: string[];
}

/** False if there is a second factor already. */
export const enrolSecondFactor = (db: Database, user: SignedIn, factor: SecondFactor) =>
  callAs(db, "enrol_second_factor", () => z.boolean(), user, {
    secret: factor.secretSealed,
    step: factor.step,
    recovery: factor.recoveryHashes,
  });

const Begun = () =>
  z.union([
    z.strictObject({ outcome: z.literal("enrol") }),
    z.strictObject({ outcome: z.literal("limited"), retry_after: z.number() }),
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

const keysOf = (by: By, { permalink, usernameKey }: NamedUser) => ({
  by,
  permalink,
  username_key: usernameKey,
});

/** Null if there is no such user. */
export const addOperator = (db: Database, by: By, user: NamedUser) =>
  db.call("add_operator", NamedOperator, keysOf(by, user), "repeatable");

/** Null if the user is no operator. */
export const removeOperator = (db: Database, by: By, user: NamedUser) =>
  db.call("remove_operator", NamedOperator, keysOf(by, user));

/** Null if the user is no operator. */
export const resetSecondFactor = (db: Database, by: By, user: NamedUser) =>
  db.call("reset_second_factor", NamedOperator, keysOf(by, user), "repeatable");

export const listOperators = (db: Database) =>
  db.call(
    "list_operators",
    () =>
      z.array(
        z.strictObject({
          id: z.number(),
          username: z.string(),
          added_at: z.string(),
          /** Null until the second factor is set up. */
          enrolled_at: z.string().nullable(),
          /** Recovery codes that are left. */
          recovery_codes: z.number(),
        }),
      ),
    {},
  );

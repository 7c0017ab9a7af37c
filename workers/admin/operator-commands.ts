import type { By } from "../../db/queries/moderation.ts";
import {
  addOperator,
  listOperators,
  removeOperator,
  resetSecondFactor,
} from "../../db/queries/operator-accounts.ts";
import type { NamedUser } from "../../db/queries/operators.ts";
import { type Invocation, UsageError } from "./arguments.ts";
import { by } from "./by.ts";
import { type Commands, type Target, userKeys } from "./commands.ts";

/** Makes and unmakes operators, who may open `/admin`. There is no other way to become one. */
export const operatorCommands: Commands = {
  "operator add": (target, given) => changeOperator(target, given, addOperator, "There is no user"),
  "operator remove": (target, given) => changeOperator(target, given, removeOperator, "There is no operator"),
  "operator reset": (target, given) =>
    changeOperator(target, given, resetSecondFactor, "There is no operator"),
  "operator list": async ({ db }) => ({ operators: await listOperators(db) }),
};

async function changeOperator(
  { db }: Target,
  given: Invocation,
  change: (db: Target["db"], as: By, user: NamedUser) => Promise<{ id: number; username: string } | null>,
  refusal: string,
): Promise<Record<string, unknown>> {
  const username = given.required("username");
  const changed = await change(db, by(given), userKeys(username));
  if (!changed) throw new UsageError(`${refusal} ${username}`);
  return changed;
}

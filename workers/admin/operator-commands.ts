import {
  addOperator,
  listOperators,
  removeOperator,
  resetSecondFactor,
} from "../../db/queries/operator-accounts.ts";
import { newTypedCode, typedCodeHash } from "../../functions/lib/security/typed-code.ts";
import { type Invocation, UsageError } from "./arguments.ts";
import { by } from "./by.ts";
import { type Commands, OR_TWO, type Reply, type Target, userKeys } from "./commands.ts";

/** Seconds. The code goes to the operator by other ways than the password, which may take until the next morning. */
const CODE_TTL_S = 24 * 3600;

/** Makes and unmakes operators, who may open `/admin`. There is no other way to become one. */
export const operatorCommands: Commands = {
  "operator add": (target, given) => invite(target, given, addOperator, "There is no user"),
  "operator reset": (target, given) => invite(target, given, resetSecondFactor, "There is no operator"),
  async "operator remove"({ db }, given) {
    const username = given.required("username");
    return (
      (await removeOperator(db, by(given), userKeys(username))) ?? refuse("There is no operator", username)
    );
  },
  "operator list": async ({ db }) => ({ operators: await listOperators(db) }),
};

/** Prints a code, which the operator's first entry needs besides the password. */
async function invite(
  { db }: Target,
  given: Invocation,
  change: typeof addOperator,
  refusal: string,
): Promise<Reply> {
  const username = given.required("username");
  const code = newTypedCode();
  const entry = { hash: typedCodeHash("enrolment", code) ?? "", ttlS: CODE_TTL_S };
  const invited = (await change(db, by(given), userKeys(username), entry)) ?? refuse(refusal, username);
  const { code_expires_at, ...operator } = invited;
  return code_expires_at === null ? operator : { ...operator, code, code_expires_at };
}

function refuse(refusal: string, username: string): never {
  throw new UsageError(`${refusal} ${username}, ${OR_TWO}`);
}

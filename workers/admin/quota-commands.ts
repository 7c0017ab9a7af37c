import {
  type Limits,
  listPlanQuotas,
  setPlanQuota,
  setUserQuota,
} from "../../db/queries/moderation-quotas.ts";
import { LIMITS } from "../../db/queries/people.ts";
import { REFUSALS } from "../../functions/api/moderation/refusals.ts";
import { Plan } from "../../functions/api/users/account-input.ts";
import { LimitText } from "../../functions/lib/text/quota.ts";
import { check, type Invocation, UsageError } from "./arguments.ts";
import { by } from "./by.ts";
import type { Commands } from "./commands.ts";
import { userOf } from "./moderation-commands.ts";

export const quotaCommands: Commands = {
  "quota list": async ({ db }) => ({ plans: await listPlanQuotas(db, "command line") }),
  async "quota set"({ db }, given) {
    const plan = check(Plan, "plan", given.required("plan"));
    return { ...(await setPlanQuota(db, by(given), plan, limitsOf(given, { none: null }))) };
  },
  async "user set-quota"({ db }, given) {
    const { id } = await userOf(db, given);
    const act = await setUserQuota(db, by(given), id, limitsOf(given, { none: -1, plan: null }));
    if (act.outcome === "unknown") throw new UsageError(REFUSALS.user.unknown);
    return { id, ...act.quota };
  },
};

/** Reads the limits from the options: numbers, or words such as `none`. */
function limitsOf(given: Invocation, words: Record<string, number | null>): Limits {
  const limits: Limits = {};
  for (const name of LIMITS) {
    const typed = given.option(name);
    if (typed === undefined) continue;
    limits[name] = Object.hasOwn(words, typed) ? (words[typed] ?? null) : check(LimitText, name, typed);
  }
  if (Object.keys(limits).length === 0) throw new UsageError("--seconds, --bytes or --tracks is missing");
  return limits;
}

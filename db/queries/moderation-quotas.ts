import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { planQuotas } from "../schema/moderation.ts";
import { changeOf } from "../shape.ts";
import type { By, ModeratedUser } from "./moderation.ts";
import { type LimitName, QuotaRow } from "./people.ts";

/** Limits to change. For a plan, null is no limit; for a user it is the plan's, and -1 is none. */
export type Limits = Partial<Record<LimitName, number | null>>;

export const setUserQuota = (db: Database, by: By, user: number, changes: Limits) =>
  db.call("set_user_quota", () => changeOf(z.literal("unknown"), { quota: QuotaRow() }), {
    by,
    user,
    changes,
  });

const PlanQuota = () => rowOf(planQuotas);

export const setPlanQuota = (db: Database, by: By, plan: ModeratedUser["plan"], changes: Limits) =>
  db.call("set_plan_quota", PlanQuota, { by, plan, changes });

/** Plans with limits. The others have none. */
export const listPlanQuotas = (db: Database) =>
  db.read((on) => on.select().from(planQuotas).orderBy(planQuotas.plan));

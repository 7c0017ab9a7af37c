import * as z from "zod";
import type { Page } from "../../db/queries/moderation.ts";
import {
  DELIVERY_STATES,
  JOB_STATES,
  listDeadLetters,
  listDeliveries,
  listJobs,
  type OperationAct,
  operateDeadLetter,
  operateDelivery,
  operateJob,
} from "../../db/queries/operations.ts";
import { REFUSALS } from "../../functions/moderation/refusals.ts";
import { plainIdText } from "../../functions/text/fields.ts";
import { check, type Invocation, UsageError } from "./arguments.ts";
import { by } from "./by.ts";
import type { Commands, Target } from "./commands.ts";
import { rowsIn } from "./rows.ts";

/** Jobs, dead letters and webhook deliveries. What is retried, the next minute's cron sends. */
export const operationCommands: Commands = {
  "job list": async ({ db }, given) => ({
    jobs: await listJobs(db, stateIn(given, JOB_STATES), pageIn(given)),
  }),
  "job retry": (target, given) => actOnJob(target, given, "retry"),
  "job drop": (target, given) => actOnJob(target, given, "drop"),
  "dead-letter list": async ({ db }, given) => ({ letters: await listDeadLetters(db, pageIn(given)) }),
  "dead-letter retry": (target, given) => actOnLetter(target, given, "retry"),
  "dead-letter drop": (target, given) => actOnLetter(target, given, "drop"),
  "delivery list": async ({ db }, given) => ({
    deliveries: await listDeliveries(db, stateIn(given, DELIVERY_STATES), pageIn(given)),
  }),
  "delivery retry": (target, given) => actOnDelivery(target, given, "retry"),
  "delivery drop": (target, given) => actOnDelivery(target, given, "drop"),
};

async function actOnJob({ db }: Target, given: Invocation, act: OperationAct) {
  const acted = await operateJob(db, by(given), act, idIn(given, "track"));
  return acted.outcome === "done" ? acted.job : refuse(REFUSALS.job[acted.outcome], "job list");
}

async function actOnLetter({ db }: Target, given: Invocation, act: OperationAct) {
  const acted = await operateDeadLetter(db, by(given), act, idIn(given, "id"));
  return acted.outcome === "done" ? acted.letter : refuse(REFUSALS.letter[acted.outcome], "dead-letter list");
}

async function actOnDelivery({ db }: Target, given: Invocation, act: OperationAct) {
  const acted = await operateDelivery(db, by(given), act, idIn(given, "id"));
  return acted.outcome === "done"
    ? acted.delivery
    : refuse(REFUSALS.delivery[acted.outcome], "delivery list");
}

function refuse(words: string, list: string): never {
  throw new UsageError(`${words}. See ${list}`);
}

const stateIn = <State extends string>(given: Invocation, states: readonly State[]): State =>
  check(z.enum(states), "state", given.option("state") ?? "failed");

const pageIn = (given: Invocation): Page => {
  const { from: before, limit } = rowsIn(given, "before");
  return { before, limit };
};

const idIn = (given: Invocation, name: string): number => check(plainIdText, name, given.required(name));

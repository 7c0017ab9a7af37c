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
import { REFUSALS } from "../../functions/pages/admin/refusals.ts";
import { type Invocation, UsageError } from "./arguments.ts";
import { by } from "./by.ts";
import type { Commands, Target } from "./commands.ts";

/** Rows of a list, unless `--limit` says otherwise. */
const ROWS = 50;
const MOST_ROWS = 1_000;

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
  return acted.outcome === "done" ? acted.job : refuse(REFUSALS.job[acted.outcome]);
}

async function actOnLetter({ db }: Target, given: Invocation, act: OperationAct) {
  const acted = await operateDeadLetter(db, by(given), act, idIn(given, "id"));
  return acted.outcome === "done" ? acted.letter : refuse(REFUSALS.letter[acted.outcome]);
}

async function actOnDelivery({ db }: Target, given: Invocation, act: OperationAct) {
  const acted = await operateDelivery(db, by(given), act, idIn(given, "id"));
  return acted.outcome === "done" ? acted.delivery : refuse(REFUSALS.delivery[acted.outcome]);
}

function refuse(words: string): never {
  throw new UsageError(words);
}

function stateIn<State extends string>(given: Invocation, states: readonly State[]): State {
  const asked = given.option("state") ?? "failed";
  const state = states.find((each) => each === asked);
  if (!state) throw new UsageError(`--state is one of ${states.join(", ")}`);
  return state;
}

const pageIn = (given: Invocation): Page => ({
  before: given.option("before") === undefined ? null : idIn(given, "before"),
  limit: given.option("limit") === undefined ? ROWS : Math.min(idIn(given, "limit"), MOST_ROWS),
});

function idIn(given: Invocation, name: string): number {
  const text = given.required(name);
  if (!/^[1-9]\d{0,15}$/.test(text)) throw new UsageError(`--${name} is no number: ${text}`);
  return Number(text);
}

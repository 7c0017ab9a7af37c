import * as z from "zod";
import type { Page } from "../../db/queries/acts.ts";
import {
  actOnDeadLetter,
  actOnDelivery,
  actOnJob,
  DELIVERY_STATES,
  findDelivery,
  findJob,
  JOB_STATES,
  listDeadLetters,
  listDeliveries,
  listJobs,
  type OperationAct,
} from "../../db/queries/operations.ts";
import { listOverdue } from "../../db/queries/overdue.ts";
import { REFUSALS } from "../../functions/api/moderation/refusals.ts";
import { plainIdText } from "../../functions/lib/text/fields.ts";
import { check, type Invocation, UsageError } from "./arguments.ts";
import { by } from "./by.ts";
import type { Commands, Target } from "./commands.ts";
import { rowsIn } from "./rows.ts";

/** Commands on jobs, dead letters and webhook deliveries. The cron of the next minute sends retried ones. */
export const operationCommands: Commands = {
  "job list": async ({ db }, given) => ({
    jobs: await listJobs(db, "command line", stateIn(given, JOB_STATES), pageIn(given)),
  }),
  "job retry": (target, given) => retryOrDropJob(target, given, "retry"),
  "job drop": (target, given) => retryOrDropJob(target, given, "drop"),
  "dead-letter list": async ({ db }, given) => ({
    letters: await listDeadLetters(db, "command line", pageIn(given)),
  }),
  "dead-letter retry": (target, given) => retryOrDropLetter(target, given, "retry"),
  "dead-letter drop": (target, given) => retryOrDropLetter(target, given, "drop"),
  "overdue list": ({ db }) => listOverdue(db, "command line"),
  "delivery list": async ({ db }, given) => ({
    deliveries: await listDeliveries(db, "command line", stateIn(given, DELIVERY_STATES), pageIn(given)),
  }),
  "delivery retry": (target, given) => retryOrDropDelivery(target, given, "retry"),
  "delivery drop": (target, given) => retryOrDropDelivery(target, given, "drop"),
};

async function retryOrDropJob({ db }: Target, given: Invocation, act: OperationAct) {
  const track = idIn(given, "track");
  const { outcome } = await actOnJob(db, by(given), act, track);
  if (outcome !== "done") return refuse(REFUSALS.job[outcome], "job list");
  return { ...(await findJob(db, "command line", track)) };
}

async function retryOrDropLetter({ db }: Target, given: Invocation, act: OperationAct) {
  const acted = await actOnDeadLetter(db, by(given), act, idIn(given, "id"));
  return acted.outcome === "done" ? acted.letter : refuse(REFUSALS.letter[acted.outcome], "dead-letter list");
}

async function retryOrDropDelivery({ db }: Target, given: Invocation, act: OperationAct) {
  const id = idIn(given, "id");
  const { outcome } = await actOnDelivery(db, by(given), act, id);
  if (outcome !== "done") return refuse(REFUSALS.delivery[outcome], "delivery list");
  return { ...(await findDelivery(db, "command line", id)) };
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

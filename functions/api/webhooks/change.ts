import type { Context } from "hono";
import { redeliver } from "../../../db/queries/webhook-deliveries.ts";
import {
  createWebhook,
  rotateWebhookSecret,
  updateWebhook,
  type WebhookChanges,
  type WebhookFields,
  type WebhookRow,
} from "../../../db/queries/webhooks.ts";
import type { Env, UserEnv } from "../../lib/http/env.ts";
import { conflict, invalid, notFound } from "../../lib/http/errors.ts";
import { shownOnce } from "../../lib/http/idempotency.ts";
import { budgetOf, settleBudget } from "../../lib/http/limits/budgets.ts";
import { queueDeliveries } from "../../lib/http/queue-messages.ts";
import { seal } from "../../lib/security/sealing.ts";
import { representDelivery } from "./representation.ts";
import { newWebhookSecret } from "./signature.ts";
import { targetOf, targetProblem, targetRule } from "./target.ts";

/** One per listening service would suffice. Each event queries them all. */
const MOST = { byApp: 20, inAll: 100 };

/** Seconds in which both secrets sign: time to deploy the new one to every receiver. */
const SECRET_OVERLAP_S = 24 * 3600;

function refuseTarget(url: string, env: Env): void {
  const problem = targetProblem(url, targetRule(env));
  if (problem) invalid(`url: ${problem}`);
}

interface WithSecret {
  webhook: WebhookRow;
  secret: string;
}

export async function create(c: Context<UserEnv>, fields: WebhookFields): Promise<WithSecret> {
  const { db, viewer } = c.var;
  refuseTarget(fields.url, c.env);
  const secret = shownOnce(c, newWebhookSecret());
  const webhook = { ...fields, ...targetOf(fields.url) };
  const made = await createWebhook(db, viewer, webhook, seal(c.env, secret.text), MOST);
  switch (made.outcome) {
    case "done":
      return { webhook: made.webhook, secret: secret.text };
    case "target_taken":
      return refuseTaken(made.standing);
    case "too_many":
      return invalid(`This app already has ${MOST.byApp} of your webhooks, which is the limit`);
    case "too_many_in_all":
      return invalid(`All your apps together have ${MOST.inAll} webhooks, which is the limit`);
  }
}

/** After a lost reply the id identifies the new webhook, whose secret can be rotated. */
const refuseTaken = (standing: number): never =>
  conflict(`url: webhook ${standing} of this app already has this address`);

export async function change(
  { env, var: { db, viewer } }: Context<UserEnv>,
  id: number,
  changes: WebhookChanges,
) {
  const { url } = changes;
  if (url !== undefined) refuseTarget(url, env);
  const target = url === undefined ? {} : targetOf(url);
  const settled = await updateWebhook(db, viewer, id, { ...changes, ...target });
  switch (settled.outcome) {
    case "done":
      return settled.webhook;
    case "target_taken":
      return refuseTaken(settled.standing);
    case "unknown":
      return notFound("Webhook");
  }
}

export async function rotate(c: Context<UserEnv>, id: number): Promise<WithSecret> {
  const { db, viewer } = c.var;
  const secret = shownOnce(c, newWebhookSecret());
  const rotated = await rotateWebhookSecret(db, viewer, id, seal(c.env, secret.text), SECRET_OVERLAP_S);
  if (rotated.outcome === "unknown") return notFound("Webhook");
  return { webhook: rotated.webhook, secret: secret.text };
}

/** Sends an old delivery or a test at once. */
export async function send(c: Context<UserEnv>, webhook: number, deliveryId?: number) {
  const { db, viewer } = c.var;
  const name = deliveryId === undefined ? "webhook-tests" : "webhook-replays";
  const asked = await redeliver(db, viewer, webhook, deliveryId ?? null, budgetOf(c.env, name));
  const found = settleBudget(c, name, asked);
  switch (found.outcome) {
    case "unknown":
      return notFound(deliveryId === undefined ? "Webhook" : "Delivery");
    case "disabled":
      return conflict("The webhook is switched off; set enabled first");
    case "running":
      return conflict("It is being delivered; check again in a minute");
  }
  // A test is a new delivery, which every request queues.
  if (deliveryId !== undefined) c.executionCtx.waitUntil(queueDeliveries(c.env, [deliveryId]));
  return representDelivery(found.delivery, c.env);
}

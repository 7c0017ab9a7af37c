import type { Context } from "hono";
import { replayDelivery, testWebhook } from "../../db/queries/webhook-deliveries.ts";
import {
  createWebhook,
  rotateWebhookSecret,
  updateWebhook,
  type WebhookFields,
  type WebhookRow,
} from "../../db/queries/webhooks.ts";
import type { Env, UserEnv } from "../http/env.ts";
import { conflict, invalid, notFound, stillSignedIn } from "../http/errors.ts";
import { describeError, logLine } from "../http/log.ts";
import { seal } from "../http/sealing.ts";
import { representDelivery } from "./representation.ts";
import { newWebhookSecret } from "./signature.ts";
import { targetProblem, targetRule } from "./target.ts";

/** One for each service that listens; all of them are asked at each event. */
const MAX_WEBHOOKS = 20;

/** Seconds in which both secrets sign: time to bring the new one to every receiver. */
const SECRET_OVERLAP_S = 24 * 3600;

function refuseTarget(url: string, env: Env): void {
  const problem = targetProblem(url, targetRule(env));
  if (problem) invalid(`url: ${problem}`);
}

interface WithSecret {
  webhook: WebhookRow;
  secret: string;
}

export async function create({ env, var: { db, viewer } }: Context<UserEnv>, fields: WebhookFields) {
  refuseTarget(fields.url, env);
  const secret = newWebhookSecret();
  const { webhook } = stillSignedIn(await createWebhook(db, viewer, fields, seal(env, secret), MAX_WEBHOOKS));
  return { webhook: webhook ?? invalid(`You have ${MAX_WEBHOOKS} webhooks, which is the most`), secret };
}

type Changes = Parameters<typeof updateWebhook>[3];

export async function change({ env, var: { db, viewer } }: Context<UserEnv>, id: number, changes: Changes) {
  if (changes.url !== undefined) refuseTarget(changes.url, env);
  const { webhook } = stillSignedIn(await updateWebhook(db, viewer, id, changes));
  return webhook ?? notFound("Webhook");
}

export async function rotate(
  { env, var: { db, viewer } }: Context<UserEnv>,
  id: number,
): Promise<WithSecret> {
  const secret = newWebhookSecret();
  const { webhook } = stillSignedIn(
    await rotateWebhookSecret(db, viewer, id, seal(env, secret), SECRET_OVERLAP_S),
  );
  return { webhook: webhook ?? notFound("Webhook"), secret };
}

/** An old delivery, or without one a test, on its way at once. */
export async function send(c: Context<UserEnv>, webhook: number, deliveryId?: number) {
  const { db, viewer } = c.var;
  const found = stillSignedIn(
    deliveryId === undefined
      ? await testWebhook(db, viewer, webhook)
      : await replayDelivery(db, viewer, webhook, deliveryId),
  );
  switch (found.outcome) {
    case "unknown":
      return notFound(deliveryId === undefined ? "Webhook" : "Delivery");
    case "disabled":
      return conflict("The webhook is switched off; set enabled first");
    case "running":
      return conflict("It is being delivered just now; look at it again in a minute");
  }
  c.executionCtx.waitUntil(handOver(c.env, found.delivery.id));
  return representDelivery(found.delivery, c.env);
}

/** Where the queue does not take it, the next minute's cron does. */
async function handOver(env: Pick<Env, "WEBHOOKS">, delivery: number): Promise<void> {
  try {
    await env.WEBHOOKS.send({ delivery });
  } catch (error) {
    logLine("warn", "webhook_not_handed_over", { delivery, ...describeError(error) });
  }
}

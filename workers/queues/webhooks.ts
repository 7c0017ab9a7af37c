import type { MessageBatch } from "@cloudflare/workers-types";
import * as z from "zod";
import { type Database, openDatabase } from "../../db/client.ts";
import { beginDelivery, dispatchDeliveries, settleDelivery } from "../../db/queries/webhook-deliveries.ts";
import type { Env } from "../../functions/http/env.ts";
import { budgetOf } from "../../functions/http/limits/budgets.ts";
import { logLine } from "../../functions/http/log.ts";
import { MAX_SENT_AT_ONCE } from "../../functions/http/queue-messages.ts";
import { consumePointers, sendEarlyRetry } from "./pointers.ts";
import { attemptDelivery } from "./webhook-attempt.ts";

export const DeliveryPointer = z.object({ delivery: z.int().positive() });

/** Deliveries per webhook and batch, so that a busy one leaves room for others. */
const BATCH_OF_ONE = 50;
/** Batches per run. The rest waits for the next, so that a long pause ends in no stampede. */
const BATCHES = 10;

/** Sends due deliveries to the queue: repetitions, and new ones whose request could not. */
export async function dispatchWebhooks(db: Database, env: Env): Promise<void> {
  const perHost = budgetOf(env, "webhook-deliveries");
  for (let batches = 0; batches < BATCHES; batches++) {
    const due = await dispatchDeliveries(db, BATCH_OF_ONE, MAX_SENT_AT_ONCE, perHost);
    if (due.length === 0) return;
    await env.WEBHOOKS.sendBatch(due.map((delivery) => ({ body: { delivery } })));
  }
}

export async function deliverWebhooks(batch: MessageBatch<unknown>, env: Env): Promise<void> {
  const db = openDatabase(env);
  const events = { malformed: "webhook_message_malformed", failed: "webhook_not_delivered" };
  await consumePointers(batch, DeliveryPointer, events, ({ delivery }) => deliver(db, env, delivery));
}

async function deliver(db: Database, env: Env, delivery: number): Promise<void> {
  const attempt = crypto.randomUUID();
  const begun = await beginDelivery(db, delivery, attempt, budgetOf(env, "webhook-deliveries"));
  if (!begun) return;
  const result = await attemptDelivery(env, begun);
  const settled = await settleDelivery(db, delivery, attempt, result);
  logLine("info", "webhook_attempted", {
    delivery,
    event: begun.delivery.event,
    webhook: begun.delivery.webhook_id,
    response_code: result.response_code,
    failure: result.failure,
    ms: result.duration_ms,
    state: settled?.state,
    disabled: settled?.disabled,
  });
  await sendEarlyRetry(env.WEBHOOKS, { delivery }, settled?.retry_in_s);
}

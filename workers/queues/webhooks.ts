import type { ExecutionContext, MessageBatch } from "@cloudflare/workers-types";
import * as z from "zod";
import { type Database, openDatabase } from "../../db/client.ts";
import {
  type BegunDelivery,
  beginDelivery,
  dispatchDeliveries,
  settleDelivery,
} from "../../db/queries/webhook-deliveries.ts";
import type { Env } from "../../functions/lib/http/env.ts";
import { budgetOf } from "../../functions/lib/http/limits/budgets.ts";
import { describeError, logLine } from "../../functions/lib/http/log.ts";
import { MAX_SENT_AT_ONCE, queueDeliveries } from "../../functions/lib/http/queue-messages.ts";
import { consumePointers, sendEarlyRetry } from "./pointers.ts";
import { attemptDelivery } from "./webhook-attempt.ts";

export const DeliveryPointer = z.object({ delivery: z.int().positive() });

/** Deliveries per webhook and batch, so that a busy one leaves room for others. */
const BATCH_OF_ONE = 50;
/** Batches per run. The rest waits for the next, so that a long pause ends in no stampede. */
const BATCHES = 10;

const EVENTS = { malformed: "webhook_message_malformed", failed: "webhook_not_delivered" };

/** Sends due deliveries to the queue: retries, and new ones whose request could not send them. */
export async function dispatchWebhooks(db: Database, env: Env): Promise<void> {
  const perHost = budgetOf(env, "webhook-deliveries");
  for (let batches = 0; batches < BATCHES; batches++) {
    const due = await dispatchDeliveries(db, BATCH_OF_ONE, MAX_SENT_AT_ONCE, perHost);
    if (due.length === 0) return;
    await env.WEBHOOKS.sendBatch(due.map((delivery) => ({ body: { delivery } })));
  }
}

/**
 * A batch ends when its attempts have begun, so that no delivery waits for another's target. The row of a lost one
 * becomes due again.
 */
export async function deliverWebhooks(
  batch: MessageBatch<unknown>,
  env: Env,
  context: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  const db = openDatabase(env);
  await consumePointers(batch, DeliveryPointer, EVENTS, async ({ delivery }) => {
    const attempt = crypto.randomUUID();
    const begun = await beginDelivery(db, delivery, attempt, budgetOf(env, "webhook-deliveries"));
    if (begun) context.waitUntil(finish(db, env, begun, attempt));
  });
}

async function finish(db: Database, env: Env, begun: BegunDelivery, attempt: string): Promise<void> {
  const { id: delivery, event, webhook_id: webhook } = begun.delivery;
  try {
    const result = await attemptDelivery(env, begun);
    const settled = await settleDelivery(db, delivery, attempt, result);
    const { response_code, failure, duration_ms: ms } = result;
    const { state, disabled, next = [], retry_in_s } = settled ?? {};
    logLine("info", "webhook_attempted", {
      delivery,
      event,
      webhook,
      response_code,
      failure,
      ms,
      state,
      disabled,
    });
    if (next.length) await queueDeliveries(env, next);
    await sendEarlyRetry(env.WEBHOOKS, { delivery }, retry_in_s);
  } catch (error) {
    logLine("error", EVENTS.failed, { delivery, ...describeError(error) });
  }
}

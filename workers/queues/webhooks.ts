import type { Message, MessageBatch } from "@cloudflare/workers-types";
import * as z from "zod";
import { type Database, openDatabase } from "../../db/client.ts";
import { beginDelivery, dispatchDeliveries, settleDelivery } from "../../db/queries/webhook-deliveries.ts";
import type { Env } from "../../functions/http/env.ts";
import { budgetOf } from "../../functions/http/limits/budgets.ts";
import { describeError, logLine } from "../../functions/http/log.ts";
import { attemptDelivery } from "./webhook-attempt.ts";

export const DeliveryPointer = z.object({ delivery: z.int().positive() });

/** Deliveries per webhook and batch, so that a busy one leaves room for others. */
const BATCH_OF_ONE = 50;
/** The queue's limit on one send. */
const BATCH = 100;
/** Batches per run. The rest waits for the next, so that a long pause ends in no stampede. */
const BATCHES = 10;

/** Seconds before a message that failed is retried. */
const RETRY_DELAY_S = 10;
/** Seconds between crons. Earlier retries go to the queue with a delay. */
const CRON_S = 60;

/** Sends due deliveries to the queue: repetitions, and new ones whose request could not. */
export async function dispatchWebhooks(db: Database, env: Env): Promise<void> {
  const perHost = budgetOf(env, "webhook-deliveries");
  for (let batches = 0; batches < BATCHES; batches++) {
    const due = await dispatchDeliveries(db, BATCH_OF_ONE, BATCH, perHost);
    if (due.length === 0) return;
    await env.WEBHOOKS.sendBatch(due.map((delivery) => ({ body: { delivery } })));
  }
}

/** In parallel, so that a slow receiver delays no other. */
export async function deliverWebhooks(batch: MessageBatch<unknown>, env: Env): Promise<void> {
  const db = openDatabase(env);
  await Promise.all(batch.messages.map((message) => deliverMessage(db, env, message)));
}

/** Handles one message. Failed attempts are acknowledged, because the row schedules the next. */
async function deliverMessage(db: Database, env: Env, message: Message<unknown>): Promise<void> {
  const pointer = DeliveryPointer.safeParse(message.body);
  if (!pointer.success) {
    logLine("error", "webhook_message_malformed", { message: message.id });
    return message.ack();
  }
  try {
    await deliver(db, env, pointer.data.delivery);
    message.ack();
  } catch (error) {
    logLine("error", "webhook_not_delivered", {
      ...pointer.data,
      attempt: message.attempts,
      ...describeError(error),
    });
    message.retry({ delaySeconds: RETRY_DELAY_S });
  }
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
  const wait = settled?.retry_in_s ?? CRON_S;
  if (wait < CRON_S) await env.WEBHOOKS.send({ delivery }, { delaySeconds: Math.ceil(wait) });
}

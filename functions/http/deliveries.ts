import type { Env } from "./env.ts";
import { describeError, logLine } from "./log.ts";

/** The queue's limit on one send. */
const MOST = 100;

/** Sends new webhook deliveries to the queue. Their rows are stored, so the cron sends again what fails here. */
export async function sendDeliveries({ WEBHOOKS }: Pick<Env, "WEBHOOKS">, ids: number[]): Promise<void> {
  try {
    await WEBHOOKS.sendBatch(ids.slice(0, MOST).map((delivery) => ({ body: { delivery } })));
  } catch (error) {
    logLine("warn", "deliveries_not_sent", { deliveries: ids.length, ...describeError(error) });
  }
}

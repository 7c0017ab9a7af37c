import type { Env } from "./env.ts";
import { describeError, logLine } from "./log.ts";

/** The queue's limit on one send. */
export const MAX_SENT_AT_ONCE = 100;

/** Sends new webhook deliveries to their queue. The rows are stored, so the cron sends what fails or exceeds the limit. */
export async function queueDeliveries({ WEBHOOKS }: Pick<Env, "WEBHOOKS">, ids: number[]): Promise<void> {
  try {
    await WEBHOOKS.sendBatch(ids.slice(0, MAX_SENT_AT_ONCE).map((delivery) => ({ body: { delivery } })));
  } catch (error) {
    logLine("warn", "deliveries_not_sent", { deliveries: ids.length, ...describeError(error) });
  }
}

/** Does the same for new mails, after the reply, so that its timing does not reveal whether there was one. */
export async function queueMails({ MAILS }: Pick<Env, "MAILS">, ids: number[]): Promise<void> {
  try {
    await MAILS.sendBatch(ids.slice(0, MAX_SENT_AT_ONCE).map((mail) => ({ body: { mail } })));
  } catch (error) {
    logLine("warn", "mails_not_sent", { mails: ids.length, ...describeError(error) });
  }
}

/** Sends imports that have something to fetch. The rows are stored, so the cron sends what fails. */
export async function queueImports({ IMPORTS }: Pick<Env, "IMPORTS">, ids: number[]): Promise<void> {
  try {
    await IMPORTS.sendBatch(ids.slice(0, MAX_SENT_AT_ONCE).map((id) => ({ body: { import: id } })));
  } catch (error) {
    logLine("warn", "imports_not_sent", { imports: ids.length, ...describeError(error) });
  }
}

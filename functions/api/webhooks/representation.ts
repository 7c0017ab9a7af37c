import * as z from "zod";
import type { DeliveryRow } from "../../../db/queries/webhook-deliveries.ts";
import type { WebhookRow } from "../../../db/queries/webhooks.ts";
import { apiUrl, type Links, timestamp } from "../../lib/http/links.ts";
import { collectionOf } from "../../lib/http/paging.ts";
import { representEvent, WebhookEvent } from "./events.ts";
import { AttemptFailure, DeliveryState, DisabledReason } from "./vocabulary.ts";

const record = {
  id: z.int(),
  kind: z.literal("webhook"),
  uri: z.url(),
  deliveries_uri: z.url(),
  created_at: z.string(),
  last_modified: z.string(),
  app_id: z.int().describe("The app that created it."),
  url: z.string(),
  events: z.array(z.string()),
  enabled: z.boolean(),
  disabled_reason: DisabledReason.nullable().describe(
    "Reason if the service switched it off: `failing` for five days, `gone` after a 410, or `access_ended` with its app's access. Set `enabled` to resume.",
  ),
  failing_since: z
    .string()
    .nullable()
    .describe("First failed attempt since the last success; null after a success."),
  previous_secret_expires_at: z
    .string()
    .nullable()
    .describe("End of the previous secret, which signs too until then; null if there is none."),
};

export const Webhook = z.strictObject(record).meta({ id: "Webhook" });
export type Webhook = z.infer<typeof Webhook>;

export const WebhookWithSecret = z
  .strictObject({ ...record, secret: z.string().describe("`whsec_` and Base64. Shown only once.") })
  .meta({ id: "WebhookWithSecret" });
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

export const Webhooks = collectionOf(Webhook).meta({ id: "Webhooks" });

const orNull = (instant: string | null) => (instant === null ? null : timestamp(instant));

export const webhookUri = (links: Links, id: number): string => apiUrl(links, `/me/webhooks/${id}`);

export const representWebhook = (webhook: WebhookRow, links: Links): Webhook => ({
  id: webhook.id,
  kind: "webhook",
  uri: webhookUri(links, webhook.id),
  deliveries_uri: `${webhookUri(links, webhook.id)}/deliveries`,
  created_at: timestamp(webhook.created_at),
  last_modified: timestamp(webhook.updated_at),
  app_id: webhook.app_id,
  url: webhook.url,
  events: webhook.events,
  enabled: webhook.enabled,
  disabled_reason: webhook.disabled_reason,
  failing_since: orNull(webhook.failing_since),
  previous_secret_expires_at: orNull(webhook.previous_secret_expires_at),
});

const Attempt = z.strictObject({
  attempted_at: z.string(),
  duration: z.int().describe("Milliseconds."),
  response_code: z.int().nullable().describe("Null without a response."),
  failure: AttemptFailure.nullable().describe("Null after a success."),
});

export const WebhookDelivery = z
  .strictObject({
    id: z.int(),
    kind: z.literal("webhook-delivery"),
    message_id: z.string().describe("The `webhook-id` of every attempt."),
    webhook_id: z.int(),
    event: z.string(),
    created_at: z.string(),
    state: DeliveryState,
    next_attempt_at: z.string().nullable().describe("Null if none will follow."),
    attempts: z.array(Attempt).describe("The last twenty, oldest first."),
    payload: WebhookEvent,
  })
  .meta({ id: "WebhookDelivery" });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const WebhookDeliveries = collectionOf(WebhookDelivery).meta({ id: "WebhookDeliveries" });

/** Must not contain `.`, the separator of the signed text. */
export const messageId = ({ id }: Pick<DeliveryRow, "id">): string => `msg_${id}`;

export const representDelivery = (delivery: DeliveryRow, links: Links): WebhookDelivery => ({
  id: delivery.id,
  kind: "webhook-delivery",
  message_id: messageId(delivery),
  webhook_id: delivery.webhook_id,
  event: delivery.event,
  created_at: timestamp(delivery.occurred_at),
  state: delivery.state,
  next_attempt_at: orNull(delivery.next_attempt_at),
  attempts: delivery.attempts.map((attempt) => ({
    attempted_at: timestamp(attempt.at),
    duration: attempt.duration_ms,
    response_code: attempt.response_code,
    failure: AttemptFailure.nullable().parse(attempt.failure),
  })),
  payload: representEvent(delivery, links),
});

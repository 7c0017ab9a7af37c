import * as z from "zod";
import type { DeliveryRow } from "../../../db/queries/webhook-deliveries.ts";
import type { WebhookRow } from "../../../db/queries/webhooks.ts";
import { apiUrl, type Links, timestamp } from "../../lib/http/links.ts";
import { collectionOf } from "../../lib/http/paging.ts";
import { CreatedAt, kindOf, LastModified, resourceId, resourceUri } from "../../lib/http/reply-fields.ts";
import { about } from "../../lib/text/fields.ts";
import { representEvent, WebhookEvent } from "./events.ts";
import { AttemptFailure, DeliveryState, DisabledReason } from "./vocabulary.ts";

const record = {
  id: resourceId(338914811904600),
  kind: kindOf("webhook"),
  uri: resourceUri("me/webhooks/338914811904600"),
  deliveries_uri: z
    .url()
    .meta(
      about("Log of deliveries.", "https://api.soundpost.example/me/webhooks/338914811904600/deliveries"),
    ),
  created_at: CreatedAt,
  last_modified: LastModified,
  app_id: z.int().meta(about("The app that created it.", 338914811904900)),
  url: z.string().meta(about("Where events are sent.", "https://hooks.example/soundpost")),
  events: z
    .array(z.string())
    .meta(about("Names of the events to send.", ["like.created", "comment.created"])),
  enabled: z.boolean().meta(about("Whether events are sent.", true)),
  disabled_reason: DisabledReason.nullable().describe(
    "Reason if the service switched it off: `failing` after five days of failures, `gone` after a 410, or `access_ended` when its app lost access. Set `enabled` to resume.",
  ),
  failing_since: z
    .string()
    .nullable()
    .meta(about("First failed attempt since the last success; null after a success.", null)),
  previous_secret_expires_at: z
    .string()
    .nullable()
    .meta(about("End of the previous secret, which signs too until then; null if there is none.", null)),
};

export const Webhook = z.strictObject(record).meta({ id: "Webhook" });
export type Webhook = z.infer<typeof Webhook>;

export const WebhookWithSecret = z
  .strictObject({
    ...record,
    secret: z
      .string()
      .meta(about("`whsec_` and Base64. Shown only once.", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")),
  })
  .meta({ id: "WebhookWithSecret" });
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

export const Webhooks = collectionOf(Webhook, "me/webhooks").meta({ id: "Webhooks" });

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
  attempted_at: z.string().meta(about("UTC.", "2026/11/23 12:00:03 +0000")),
  duration: z.int().meta(about("Milliseconds.", 84)),
  response_code: z.int().nullable().meta(about("Null without a response.", 200)),
  failure: AttemptFailure.nullable().describe("Null after a success."),
});

export const WebhookDelivery = z
  .strictObject({
    id: resourceId(338914811904800),
    kind: kindOf("webhook-delivery"),
    message_id: z.string().meta(about("The `webhook-id` of every attempt.", "msg_338914811904800")),
    webhook_id: z.int().meta(about("The webhook.", 338914811904600)),
    event: z.string().meta(about("Name of the event.", "like.created")),
    created_at: CreatedAt,
    state: DeliveryState,
    next_attempt_at: z.string().nullable().meta(about("Null if none will follow.", null)),
    attempts: z.array(Attempt).describe("The last twenty, oldest first."),
    payload: WebhookEvent.describe("The body that is sent."),
  })
  .meta({ id: "WebhookDelivery" });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const WebhookDeliveries = collectionOf(WebhookDelivery, "me/webhooks/338914811904600/deliveries").meta(
  { id: "WebhookDeliveries" },
);

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

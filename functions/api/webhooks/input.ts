import * as z from "zod";
import { about, flag, plainIdText } from "../../lib/text/fields.ts";
import { EVENTS } from "./vocabulary.ts";

export const WebhookId = z.object({ id: plainIdText.describe("Id of the webhook.") });

export const EventId = z.object({ id: plainIdText.describe("Id of the event.") });

export const DeliveryId = z.object({
  ...WebhookId.shape,
  deliveryId: plainIdText.describe("Id of the delivery."),
});

/** Documents the header that resumes a stream. */
export const LastEventId = z.object({
  "Last-Event-ID": z
    .string()
    .optional()
    .describe("The `id` of the last event received: the stream goes on after it."),
});

/** The deployment decides which targets are allowed: `targetProblem`. */
const Url = z
  .string()
  .max(2000, "may have 2000 characters at most")
  .meta(about("https, on a public host.", "https://hooks.example/soundpost"));

const Events = z
  .array(z.enum(EVENTS, `must be one of ${EVENTS.join(", ")}`))
  .min(1, "must hold one event at least")
  .max(100, "may hold 100 events at most")
  .transform((events) => [...new Set(events)])
  .meta(about("Names of the events to send.", ["like.created", "comment.created"]));

const Enabled = flag.meta(about("`false` stops events and drops pending deliveries.", true));

export const NewWebhookBody = z
  .object({ url: Url, events: Events, enabled: Enabled.default(true) })
  .meta({ id: "NewWebhook" });

/** Omitted fields stay unchanged. */
export const WebhookChangesBody = z
  .object({ url: Url.optional(), events: Events.optional(), enabled: Enabled.optional() })
  .meta({ id: "WebhookChanges" });

import { findEvent } from "../../../db/queries/event-stream.ts";
import { deleteWebhook, findWebhook } from "../../../db/queries/webhooks.ts";
import { notFound } from "../../lib/http/errors.ts";
import { taggedReply } from "../../lib/http/etag.ts";
import { Paging } from "../../lib/http/paging.ts";
import { Routes } from "../../lib/http/route.ts";
import { StatusBody, statusBody } from "../../lib/http/status.ts";
import { change, create, rotate, send } from "./change.ts";
import { streamEvents } from "./event-stream.ts";
import { representEvent, WebhookEvent } from "./events.ts";
import { DeliveryId, EventId, LastEventId, NewWebhookBody, WebhookChangesBody, WebhookId } from "./input.ts";
import { sendDeliveries, sendWebhooks } from "./list.ts";
import {
  representWebhook,
  Webhook,
  WebhookDeliveries,
  WebhookDelivery,
  Webhooks,
  WebhookWithSecret,
} from "./representation.ts";

/** These replies hold a secret. */
const NO_STORE = { "Cache-Control": "private, no-store" };

const TAKEN = { 409: "The app already has a webhook for this address." };

export const webhooks = new Routes();

webhooks.get(
  "/me/webhooks",
  {
    operationId: "listWebhooks",
    tag: "webhooks",
    summary: "List the app's webhooks for you, newest first",
    description: "Only webhooks that this app created for you.",
    auth: "user",
    query: Paging,
    replies: { 200: Webhooks },
  },
  (c, { query }) => sendWebhooks(c, query),
);

webhooks.get(
  "/me/events",
  {
    operationId: "streamEvents",
    tag: "webhooks",
    summary: "Stream your events",
    description:
      "The events that webhooks deliver, as Server-Sent Events, within two seconds: `event` is the type, `id` the event's, `data` the same JSON (`WebhookEvent`). An event is kept for a day, if a stream of yours was opened within the day before it: send the `id` of the last one as `Last-Event-ID`, and the stream goes on after it, without loss or repetition. If that is not possible, because events were forgotten or the service was restored from a backup, an event `reset` comes first: reload what you keep. While nothing happens, a comment comes every five seconds. A stream ends after four minutes: connect again, as `EventSource` does by itself. You can have eight streams open; a ninth ends the oldest. It also ends with the token's session, and the next request gets 401. `EventSource` sends no header, so browsers read it with `fetch`.",
    auth: "user",
    media: true,
    ownHeaders: LastEventId,
    replies: { 200: "text/event-stream" },
    errors: {
      400: "`Last-Event-ID` was not issued by this stream.",
      406: "`Accept` excludes `text/event-stream`, or the path or `format` names another format.",
      429: "Too many streams in an hour.",
    },
  },
  (c) => streamEvents(c),
);

webhooks.get(
  "/me/events/:id",
  {
    operationId: "getEvent",
    tag: "webhooks",
    summary: "Get an event",
    description:
      "The same JSON as in its deliveries and your streams: an event has one `id` and one `timestamp` in all of them. It is kept for 30 days if a webhook of this app was to receive it, and otherwise like the events of a stream, for a day.",
    auth: "user",
    params: EventId,
    replies: { 200: WebhookEvent },
  },
  async (c, { params }) => {
    const event = await findEvent(c.var.db, c.var.viewer, params.id);
    return c.json(representEvent(event ?? notFound("Event"), c.env));
  },
);

webhooks.post(
  "/me/webhooks",
  {
    operationId: "createWebhook",
    tag: "webhooks",
    summary: "Create a webhook",
    description:
      "Events are delivered by the rules of standardwebhooks.com: a POST of a `WebhookEvent` with `webhook-id`, `webhook-timestamp` and `webhook-signature`. Only this reply shows the secret. Without a 2xx within two seconds, or fifteen from then on for an address that takes longer, a delivery is repeated: it is sent ten times in all, over some three days. It may arrive twice. Your own actions cause no events, and a repeated like or follow only one. A webhook belongs to you and the app that created it; your other apps do not see it. It ends with the app's access: when you disconnect the app, change your password, or sign the app out without lasting consent. A personal token's webhook ends with the token that made it or last changed it. An app may have one webhook of yours for each address (409) and 20 in all; your apps together may have 100 (422). Deliveries wait while too many go to one host, or while four of yours to slow addresses are under way.",
    auth: "user",
    scope: "webhooks",
    body: NewWebhookBody,
    replies: { 201: WebhookWithSecret },
    errors: TAKEN,
  },
  async (c, { body }) => {
    const { webhook, secret } = await create(c, body);
    const shown = { ...representWebhook(webhook, c.env), secret };
    return c.json(shown, 201, { Location: shown.uri, ...NO_STORE });
  },
);

webhooks.get(
  "/me/webhooks/:id",
  {
    operationId: "getWebhook",
    tag: "webhooks",
    summary: "Get a webhook",
    description: "The secret is not shown again.",
    auth: "user",
    params: WebhookId,
    precondition: "If-None-Match",
    replies: { 200: Webhook },
  },
  async (c, { params }) => {
    const webhook = await findWebhook(c.var.db, c.var.viewer, params.id);
    return taggedReply(c, representWebhook(webhook ?? notFound("Webhook"), c.env));
  },
);

webhooks.put(
  "/me/webhooks/:id",
  {
    operationId: "changeWebhook",
    tag: "webhooks",
    summary: "Change a webhook",
    description: "Omitted fields stay unchanged.",
    auth: "user",
    scope: "webhooks",
    params: WebhookId,
    body: WebhookChangesBody,
    replies: { 200: Webhook },
    errors: TAKEN,
  },
  async (c, { params, body }) => c.json(representWebhook(await change(c, params.id, body), c.env)),
);

webhooks.delete(
  "/me/webhooks/:id",
  {
    operationId: "deleteWebhook",
    tag: "webhooks",
    summary: "Delete a webhook",
    description: "Deletes the log of its deliveries too.",
    auth: "user",
    scope: "webhooks",
    params: WebhookId,
    replies: { 200: StatusBody },
  },
  async (c, { params }) => {
    const deleted = await deleteWebhook(c.var.db, c.var.viewer, params.id);
    return deleted ? c.json(statusBody(200)) : notFound("Webhook");
  },
);

webhooks.post(
  "/me/webhooks/:id/secret",
  {
    operationId: "rotateWebhookSecret",
    tag: "webhooks",
    summary: "Rotate a webhook's secret",
    description: "The current secret also signs for one more day; older ones end at once.",
    auth: "user",
    scope: "webhooks",
    params: WebhookId,
    replies: { 200: WebhookWithSecret },
  },
  async (c, { params }) => {
    const { webhook, secret } = await rotate(c, params.id);
    return c.json({ ...representWebhook(webhook, c.env), secret }, 200, NO_STORE);
  },
);

webhooks.post(
  "/me/webhooks/:id/test",
  {
    operationId: "testWebhook",
    tag: "webhooks",
    summary: "Send a test event",
    description: "Sends `webhook.test` to this webhook only.",
    auth: "user",
    scope: "webhooks",
    params: WebhookId,
    replies: { 202: WebhookDelivery },
    errors: { 409: "The webhook is switched off.", 429: "Too many tests in an hour." },
  },
  async (c, { params }) => c.json(await send(c, params.id), 202),
);

webhooks.get(
  "/me/webhooks/:id/deliveries",
  {
    operationId: "listWebhookDeliveries",
    tag: "webhooks",
    summary: "List a webhook's deliveries, newest first",
    description: "Covers the last 30 days.",
    auth: "user",
    params: WebhookId,
    query: Paging,
    replies: { 200: WebhookDeliveries },
  },
  (c, { params, query }) => sendDeliveries(c, params.id, query),
);

webhooks.post(
  "/me/webhooks/:id/deliveries/:deliveryId/replay",
  {
    operationId: "replayWebhookDelivery",
    tag: "webhooks",
    summary: "Send a delivery again",
    description: "Keeps its `webhook-id`. Works for successful deliveries too.",
    auth: "user",
    scope: "webhooks",
    params: DeliveryId,
    replies: { 202: WebhookDelivery },
    errors: {
      409: "The webhook is switched off, or the delivery is in progress.",
      429: "Too many replays in an hour.",
    },
  },
  async (c, { params }) => c.json(await send(c, params.id, params.deliveryId), 202),
);

import { Hono } from "hono";
import { listDeliveries } from "../../db/queries/webhook-deliveries.ts";
import { deleteWebhook, findWebhook, listWebhooks } from "../../db/queries/webhooks.ts";
import { body, operation, param, query } from "../http/contract.ts";
import type { AppEnv } from "../http/env.ts";
import { ErrorBody, notFound } from "../http/errors.ts";
import { tagged, taggedReply } from "../http/etag.ts";
import { nextHref, Paging, readCursor, sendCollection } from "../http/paging.ts";
import { StatusBody, statusBody } from "../http/status.ts";
import { requireUser } from "../http/viewer.ts";
import { change, create, rotate, send } from "./change.ts";
import { DeliveryId, NewWebhookBody, WebhookChangesBody, WebhookId } from "./input.ts";
import {
  representDelivery,
  representWebhook,
  Webhook,
  WebhookDeliveries,
  WebhookDelivery,
  Webhooks,
  WebhookWithSecret,
} from "./representation.ts";

/** Below `/me/webhooks`. */
export const webhooks = new Hono<AppEnv>();

/** A secret is in the reply. */
const NO_STORE = { "Cache-Control": "private, no-store" };

const listed = { 400: ErrorBody, 422: ErrorBody };

webhooks.get(
  "/",
  operation("List the webhooks that the app has for you, newest first", { 200: Webhooks, ...listed }),
  requireUser,
  query(Paging),
  async (c) => {
    const { limit, linked_partitioning, cursor } = c.req.valid("query");
    const scope = { SIGNING_KEYS: c.env.SIGNING_KEYS, list: "me/webhooks", userId: c.var.viewer.userId };
    const { webhooks: rows } = await listWebhooks(
      c.var.db,
      c.var.viewer,
      readCursor(scope, cursor),
      limit + 1,
    );
    const items = rows.slice(0, limit).map((row) => representWebhook(row, c.env));
    const next = nextHref(scope, { rows, limit, url: c.req.url, links: c.env });
    return sendCollection(c, linked_partitioning, items, next);
  },
);

webhooks.post(
  "/",
  operation(
    "Be told of events by a webhook",
    { 201: WebhookWithSecret, 409: ErrorBody },
    {
      description:
        "As standardwebhooks.com has it: a POST of a `WebhookEvent`, signed by `webhook-id`, `webhook-timestamp` and `webhook-signature`. The secret is shown in this reply alone. What is not answered by 2xx within 15 seconds comes again, ten times over some three days; it may come twice. Of what you do to your own you are not told, and of a like or a follower only once. A webhook belongs to the app that made it and to you: your other apps do not see it. It ends with the app's access: when you disconnect the app, change your password, or sign the app out where you gave no lasting consent. Each app may have one for each address (409), and what all webhooks send to one host waits for its turn where it is too much.",
    },
  ),
  requireUser,
  body(NewWebhookBody),
  async (c) => {
    const { webhook, secret } = await create(c, c.req.valid("json"));
    const shown = { ...representWebhook(webhook, c.env), secret };
    return c.json(shown, 201, { Location: shown.uri, ...NO_STORE });
  },
);

webhooks.get(
  "/:id",
  operation("Get a webhook", { 200: Webhook }),
  tagged,
  requireUser,
  param(WebhookId),
  async (c) => {
    const { webhook } = await findWebhook(c.var.db, c.var.viewer, c.req.valid("param").id);
    return taggedReply(c, representWebhook(webhook ?? notFound("Webhook"), c.env));
  },
);

webhooks.put(
  "/:id",
  operation(
    "Change a webhook",
    { 200: Webhook, 409: ErrorBody },
    { description: "What is left out stays as it is." },
  ),
  requireUser,
  param(WebhookId),
  body(WebhookChangesBody),
  async (c) => c.json(representWebhook(await change(c, c.req.valid("param").id, c.req.valid("json")), c.env)),
);

webhooks.delete(
  "/:id",
  operation("Delete a webhook", { 200: StatusBody }, { description: "With the log of its deliveries." }),
  requireUser,
  param(WebhookId),
  async (c) => {
    const { found } = await deleteWebhook(c.var.db, c.var.viewer, c.req.valid("param").id);
    return found ? c.json(statusBody(200)) : notFound("Webhook");
  },
);

webhooks.post(
  "/:id/secret",
  operation(
    "Rotate a webhook's secret",
    { 200: WebhookWithSecret },
    { description: "The secret until now signs as well for one more day, any older one no longer." },
  ),
  requireUser,
  param(WebhookId),
  async (c) => {
    const { webhook, secret } = await rotate(c, c.req.valid("param").id);
    return c.json({ ...representWebhook(webhook, c.env), secret }, 200, NO_STORE);
  },
);

const sent = { 202: WebhookDelivery, 409: ErrorBody, 429: ErrorBody };

webhooks.post(
  "/:id/test",
  operation("Send a test event", sent, { description: "`webhook.test`, to this webhook alone." }),
  requireUser,
  param(WebhookId),
  async (c) => c.json(await send(c, c.req.valid("param").id), 202),
);

webhooks.get(
  "/:id/deliveries",
  operation(
    "List a webhook's deliveries, newest first",
    { 200: WebhookDeliveries, ...listed },
    {
      description: "Those of the last 30 days.",
    },
  ),
  requireUser,
  param(WebhookId),
  query(Paging),
  async (c) => {
    const { id } = c.req.valid("param");
    const { limit, linked_partitioning, cursor } = c.req.valid("query");
    const list = `me/webhooks/${id}/deliveries`;
    const scope = { SIGNING_KEYS: c.env.SIGNING_KEYS, list, userId: c.var.viewer.userId };
    const before = readCursor(scope, cursor);
    const found = await listDeliveries(c.var.db, c.var.viewer, id, before, limit + 1);
    const rows = found.found ? found.deliveries : notFound("Webhook");
    const items = rows.slice(0, limit).map((row) => representDelivery(row, c.env));
    const next = nextHref(scope, { rows, limit, url: c.req.url, links: c.env });
    return sendCollection(c, linked_partitioning, items, next);
  },
);

webhooks.post(
  "/:id/deliveries/:deliveryId/replay",
  operation("Send a delivery again", sent, {
    description: "With its `webhook-id`, whether it was delivered or not.",
  }),
  requireUser,
  param(DeliveryId),
  async (c) => {
    const { id, deliveryId } = c.req.valid("param");
    return c.json(await send(c, id, deliveryId), 202);
  },
);

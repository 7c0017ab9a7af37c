import type { Context } from "hono";
import type * as z from "zod";
import { listDeliveries } from "../../db/queries/webhook-deliveries.ts";
import { listWebhooks } from "../../db/queries/webhooks.ts";
import type { UserEnv } from "../http/env.ts";
import { notFound } from "../http/errors.ts";
import { nextHref, type Paging, readCursor, sendCollection } from "../http/paging.ts";
import { representDelivery, representWebhook } from "./representation.ts";

export async function sendWebhooks(
  c: Context<UserEnv>,
  { limit, linked_partitioning, cursor }: z.output<typeof Paging>,
): Promise<Response> {
  const scope = { SIGNING_KEYS: c.env.SIGNING_KEYS, list: "me/webhooks", userId: c.var.viewer.userId };
  const before = readCursor(scope, cursor);
  const rows = await listWebhooks(c.var.db, c.var.viewer, before, limit + 1);
  const items = rows.slice(0, limit).map((row) => representWebhook(row, c.env));
  const next = nextHref(scope, { rows, limit, url: c.req.url, links: c.env });
  return sendCollection(c, linked_partitioning, items, next);
}

export async function sendDeliveries(
  c: Context<UserEnv>,
  id: number,
  { limit, linked_partitioning, cursor }: z.output<typeof Paging>,
): Promise<Response> {
  const list = `me/webhooks/${id}/deliveries`;
  const scope = { SIGNING_KEYS: c.env.SIGNING_KEYS, list, userId: c.var.viewer.userId };
  const before = readCursor(scope, cursor);
  const found = await listDeliveries(c.var.db, c.var.viewer, id, before, limit + 1);
  const rows = found.found ? found.deliveries : notFound("Webhook");
  const items = rows.slice(0, limit).map((row) => representDelivery(row, c.env));
  const next = nextHref(scope, { rows, limit, url: c.req.url, links: c.env });
  return sendCollection(c, linked_partitioning, items, next);
}

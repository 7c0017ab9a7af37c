import type { Context } from "hono";
import type * as z from "zod";
import { listDeliveries } from "../../../db/queries/webhook-deliveries.ts";
import { listWebhooks } from "../../../db/queries/webhooks.ts";
import type { UserEnv } from "../../lib/http/env.ts";
import { notFound } from "../../lib/http/errors.ts";
import { type Paging, sendPageById } from "../../lib/http/paging.ts";
import { representDelivery, representWebhook } from "./representation.ts";

type Asked = z.output<typeof Paging>;

export const sendWebhooks = (c: Context<UserEnv>, asked: Asked): Promise<Response> =>
  sendPageById(c, asked, {
    list: "me/webhooks",
    find: ({ before, limit }) => listWebhooks(c.var.db, c.var.viewer, before, limit),
    represent: (row) => representWebhook(row, c.env),
  });

export const sendDeliveries = (c: Context<UserEnv>, id: number, asked: Asked): Promise<Response> =>
  sendPageById(c, asked, {
    list: `me/webhooks/${id}/deliveries`,
    async find({ before, limit }) {
      const found = await listDeliveries(c.var.db, c.var.viewer, id, before, limit);
      return found?.deliveries ?? notFound("Webhook");
    },
    represent: (row) => representDelivery(row, c.env),
  });

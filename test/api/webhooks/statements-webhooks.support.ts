import { randomUUID } from "node:crypto";
import type { WebhookWithSecret } from "../../../functions/api/webhooks/representation.ts";
import { ana, type Entry, get, one, post, put, remove } from "../../lib/http/statements.support.ts";
import { api } from "../../support/api.ts";
import { createRestingDelivery } from "./webhook-receiver.ts";

/** A new target each time. */
const newWebhook = () => ({ url: `https://hooks.example.com/${randomUUID()}`, events: ["follow.created"] });

/** Reused, because Ana may have only twenty. */
async function theWebhook(): Promise<WebhookWithSecret> {
  const [known] = (await api.as(ana).get<WebhookWithSecret[]>("/me/webhooks")).body;
  return known ?? (await api.as(ana).post<WebhookWithSecret>("/me/webhooks", { json: newWebhook() })).body;
}

const pathOf = ({ id }: WebhookWithSecret) => `/me/webhooks/${id}`;
const itsPath = async (rest = "") => `${pathOf(await theWebhook())}${rest}`;

export const WEBHOOKS: Record<string, Entry> = {
  "GET /me/webhooks": one(() => get("/me/webhooks")),
  "POST /me/webhooks": one(() => post("/me/webhooks", newWebhook())),
  "GET /me/webhooks/{id}": one(async () => get(await itsPath())),
  "PUT /me/webhooks/{id}": one(async () => put(await itsPath(), { events: ["like.created"] })),
  "DELETE /me/webhooks/{id}": one(async () => remove(await itsPath())),
  "POST /me/webhooks/{id}/secret": one(async () => post(await itsPath("/secret"))),
  "POST /me/webhooks/{id}/test": one(async () => post(await itsPath("/test"))),
  "GET /me/webhooks/{id}/deliveries": one(async () => get(await itsPath("/deliveries"))),
  "GET /me/events/{id}": one(async () =>
    get(`/me/events/${await createRestingDelivery(await theWebhook())}`),
  ),
  "POST /me/webhooks/{id}/deliveries/{deliveryId}/replay": one(async () => {
    const webhook = await theWebhook();
    const delivery = await createRestingDelivery(webhook);
    return post(`${pathOf(webhook)}/deliveries/${delivery}/replay`);
  }),
};

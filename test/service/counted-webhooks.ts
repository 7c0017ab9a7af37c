import type { WebhookDelivery, WebhookWithSecret } from "../../functions/webhooks/representation.ts";
import { api } from "../support/api.ts";
import { ana, type Entry, get, one, post, put, remove } from "./counted.ts";

const NEW_WEBHOOK = { url: "https://hooks.example.com/", events: ["follow.created"] };

/** Ana may have twenty. */
async function theWebhook(rest = ""): Promise<string> {
  const [known] = (await api.as(ana).get<WebhookWithSecret[]>("/me/webhooks")).body;
  const webhook =
    known ?? (await api.as(ana).post<WebhookWithSecret>("/me/webhooks", { json: NEW_WEBHOOK })).body;
  return `/me/webhooks/${webhook.id}${rest}`;
}

export const WEBHOOKS: Record<string, Entry> = {
  "GET /me/webhooks": one(() => get("/me/webhooks")),
  "POST /me/webhooks": one(() => post("/me/webhooks", NEW_WEBHOOK)),
  "GET /me/webhooks/{id}": one(async () => get(await theWebhook())),
  "PUT /me/webhooks/{id}": one(async () => put(await theWebhook(), { events: ["like.created"] })),
  "DELETE /me/webhooks/{id}": one(async () => remove(await theWebhook())),
  "POST /me/webhooks/{id}/secret": one(async () => post(await theWebhook("/secret"))),
  "POST /me/webhooks/{id}/test": one(async () => post(await theWebhook("/test"))),
  "GET /me/webhooks/{id}/deliveries": one(async () => get(await theWebhook("/deliveries"))),
  "POST /me/webhooks/{id}/deliveries/{deliveryId}/replay": one(async () => {
    const { id } = (await api.as(ana).post<WebhookDelivery>(await theWebhook("/test"))).body;
    return post(await theWebhook(`/deliveries/${id}/replay`));
  }),
};

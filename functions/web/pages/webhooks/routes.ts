import type { Context } from "hono";
import type { WebhookWithSecret } from "../../../api/webhooks/representation.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { Routes } from "../../../lib/http/route.ts";
import type { FormState } from "../../../ui/form.tsx";
import { readOwnForm } from "../../../ui/form-guard.ts";
import { formPage } from "../../../ui/form-page.ts";
import { ApiRefusal, orRefusal, writeApi } from "../../../ui/own-api.ts";
import { seeOther } from "../../../ui/page.tsx";
import { showSiteError } from "../../../ui/site-page.tsx";
import { CREATE, showWebhooks } from "./list-page.tsx";
import { changesOf, webhookOf } from "./webhook-form.tsx";
import { changing, showSecret, showWebhook } from "./webhook-page.tsx";

/** {web_url}: the reader's webhooks. The site manages those created here, by the API's rules. */
export const webhookPages = new Routes({ renderError: showSiteError });

const ONE = "/you/webhooks/:id";

webhookPages.page("/you/webhooks", (c) => showWebhooks(c));

webhookPages.form("/you/webhooks", async (c) => {
  formPage(c, "/you/webhooks");
  const sent = await readOwnForm(c, CREATE);
  const write = writeApi<WebhookWithSecret>(c, "POST", "/me/webhooks", webhookOf(sent));
  const made = await orRefusal(write, 409, 422);
  return made instanceof ApiRefusal
    ? showWebhooks(c, stateOf(sent, made))
    : showSecret(c, "Webhook created", made);
});

webhookPages.page(ONE, (c) => showWebhook(c, Number(c.req.param("id"))));

webhookPages.form(ONE, async (c) => {
  const { id, sent } = await formOf(c);
  const saved = await orRefusal(writeApi(c, "PUT", `/me/webhooks/${id}`, changesOf(sent)), 409, 422);
  return saved instanceof ApiRefusal
    ? showWebhook(c, id, stateOf(sent, saved))
    : seeOther(c, `/you/webhooks/${id}?notice=saved`);
});

webhookPages.form(`${ONE}/test`, async (c) => {
  const { id } = await formOf(c);
  await writeApi(c, "POST", `/me/webhooks/${id}/test`);
  return seeOther(c, `/you/webhooks/${id}?notice=sent`);
});

webhookPages.form(`${ONE}/deliveries/:delivery/replay`, async (c) => {
  const { id } = await formOf(c);
  await writeApi(c, "POST", `/me/webhooks/${id}/deliveries/${c.req.param("delivery")}/replay`);
  return seeOther(c, `/you/webhooks/${id}?notice=sent`);
});

webhookPages.form(`${ONE}/secret`, async (c) => {
  const { id } = await formOf(c);
  return showSecret(
    c,
    "New secret",
    await writeApi<WebhookWithSecret>(c, "POST", `/me/webhooks/${id}/secret`),
  );
});

webhookPages.form(`${ONE}/delete`, async (c) => {
  const { id } = await formOf(c);
  await writeApi(c, "DELETE", `/me/webhooks/${id}`);
  return seeOther(c, "/you/webhooks");
});

/** Reads a form of one webhook's page. */
async function formOf(c: Context<AppEnv>) {
  const id = Number(c.req.param("id"));
  formPage(c, `/you/webhooks/${id}`);
  return { id, sent: await readOwnForm(c, changing(id)) };
}

/** The refused form, to show again. It has checkboxes in place of the API's list of events. */
const stateOf = (
  values: Record<string, string>,
  { problems: { events, ...others } }: ApiRefusal,
): FormState => ({
  values,
  problems: events === undefined ? others : { ...others, events: "are missing: tick one at least" },
});

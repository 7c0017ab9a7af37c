import type { Context } from "hono";
import { listSiteWebhooks, type SiteWebhooks, type WebhookRow } from "../../../../db/queries/webhooks.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { apiUrl } from "../../../lib/http/links.ts";
import { readerOf } from "../../../ui/bar.tsx";
import { EMPTY, type FormState } from "../../../ui/form.tsx";
import { formToken } from "../../../ui/form-guard.ts";
import { asReader } from "../../../ui/own-api.ts";
import { showSite } from "../../../ui/site-page.tsx";
import { WebhookForm } from "./webhook-form.tsx";

/** Subject of the form token. */
export const CREATE = "create a webhook";

/** Shows all webhooks of the reader, and a form for a new one. */
export async function showWebhooks(c: Context<AppEnv>, state: FormState = EMPTY): Promise<Response> {
  const { own, others } = await asReader(c, (viewer) => listSiteWebhooks(c.var.db, viewer));
  return showSite(
    c,
    { title: "Webhooks", reader: readerOf(c), status: state === EMPTY ? 200 : 422, styles: ["own.css"] },
    <div class="settings">
      <header class="page-head">
        <h1>Webhooks</h1>
        <p class="hint">
          We send an HTTP request to your server when something happens, signed by the rules of Standard
          Webhooks. <a href={apiUrl(c.env, "/docs/webhooks#check-the-signature")}>How to verify it</a>
        </p>
      </header>
      {own.length > 0 && <Own webhooks={own} />}
      <section class="card">
        <h2>New webhook</h2>
        <WebhookForm
          env={c.env}
          action="/you/webhooks"
          token={formToken(c, CREATE)}
          state={state}
          submit="Create"
          isNew
        />
      </section>
      {others.length > 0 && <Others webhooks={others} settings={`${c.env.AUTH_URL}/settings#webhooks`} />}
    </div>,
  );
}

const Own = ({ webhooks }: { webhooks: WebhookRow[] }) => (
  <section class="card">
    <h2>Your webhooks</h2>
    <ul class="connected">
      {webhooks.map((webhook) => (
        <li>
          <div>
            <strong>
              <a href={`/you/webhooks/${webhook.id}`}>{webhook.url}</a>
            </strong>
            <p class="hint">{webhook.events.join(", ")}</p>
            <p class="hint">{stateOf(webhook)}</p>
          </div>
        </li>
      ))}
    </ul>
  </section>
);

const Others = ({ webhooks, settings }: { webhooks: SiteWebhooks["others"]; settings: string }) => (
  <section class="card">
    <h2>Webhooks of apps</h2>
    <p>Apps that you connected made these. They alone change them; you end them in the settings.</p>
    <ul class="connected">
      {webhooks.map(({ app, host, events, enabled }) => (
        <li>
          <div>
            <strong>{host}</strong> for {app}
            <p class="hint">{events.join(", ")}</p>
            <p class="hint">{enabled ? "Switched on." : "Switched off."}</p>
          </div>
        </li>
      ))}
    </ul>
    <a href={settings} data-turbo="false">
      End a webhook in the settings
    </a>
  </section>
);

const REASONS = {
  failing: "Switched off: the address did not answer for five days.",
  gone: "Switched off: the address said that it is gone.",
  access_ended: "Switched off when your password changed. Switch it on again if it is still yours.",
};

export function stateOf({ enabled, disabled_reason: reason, failing_since }: WebhookRow): string {
  if (!enabled) return reason ? REASONS[reason] : "Switched off.";
  return failing_since ? "The last deliveries failed." : "Switched on.";
}

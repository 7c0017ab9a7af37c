import type { Context } from "hono";
import { listDeliveries } from "../../../../db/queries/webhook-deliveries.ts";
import type { WebhookRow } from "../../../../db/queries/webhooks.ts";
import { representDelivery } from "../../../api/webhooks/representation.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { nextHref, readCursor } from "../../../lib/http/paging.ts";
import { readerOf } from "../../../ui/bar.tsx";
import { EMPTY, Form, type FormState } from "../../../ui/form.tsx";
import { formToken } from "../../../ui/form-guard.ts";
import { asReader } from "../../../ui/own-api.ts";
import { Secret } from "../../../ui/secret.tsx";
import { showSite } from "../../../ui/site-page.tsx";
import { More } from "../rows/paging.tsx";
import { Deliveries } from "./deliveries.tsx";
import { stateOf } from "./list-page.tsx";
import { valuesOf, WebhookForm } from "./webhook-form.tsx";

const LIMIT = 20;

/** Subject of the tokens of one webhook's forms. */
export const changing = (id: number) => `change webhook ${id}`;

const NOTICES = new Map([
  ["saved", "Saved."],
  ["sent", "It is on its way. Load the page again to see how it went."],
]);

/** Shows a webhook and its deliveries. */
export async function showWebhook(
  c: Context<AppEnv>,
  id: number,
  state: FormState = EMPTY,
): Promise<Response> {
  const found = await asReader(c, async (viewer) => {
    const list = `site/webhooks/${id}`;
    const scope = { SIGNING_KEYS: c.env.SIGNING_KEYS, list, userId: viewer.userId };
    const before = readCursor(scope, c.req.query("cursor"));
    const page = (await listDeliveries(c.var.db, viewer, id, before, LIMIT + 1)) ?? notFound("Webhook");
    const next = nextHref(scope, { rows: page.deliveries, limit: LIMIT, url: c.req.url, links: c.env });
    return { ...page, next };
  });
  const { webhook } = found;
  const reader = readerOf(c);
  const token = formToken(c, changing(id));
  const notice = NOTICES.get(c.req.query("notice") ?? "");
  const deliveries = found.deliveries.slice(0, LIMIT).map((row) => representDelivery(row, c.env));
  return showSite(
    c,
    { title: "Webhook", reader, status: state === EMPTY ? 200 : 422, styles: ["own.css"] },
    <div class="settings">
      <header class="page-head">
        <h1>Webhook</h1>
        <a href="/you/webhooks">All webhooks</a>
      </header>
      {notice && state === EMPTY && (
        <p class="done" role="status">
          {notice}
        </p>
      )}
      <section class="card">
        <h2>{new URL(webhook.url).host}</h2>
        <p>{stateOf(webhook)}</p>
        <WebhookForm
          env={c.env}
          action={`/you/webhooks/${id}`}
          token={token}
          state={state === EMPTY ? { values: valuesOf(webhook), problems: {} } : state}
          submit="Save"
        />
        <Actions webhook={webhook} token={token} />
      </section>
      <section class="card">
        <h2>Deliveries</h2>
        <Deliveries webhook={webhook} deliveries={deliveries} token={token} />
        <More reader={reader} next={found.next} />
      </section>
    </div>,
  );
}

const Actions = ({ webhook: { id, enabled }, token }: { webhook: WebhookRow; token: string }) => (
  <>
    {enabled && (
      <Form name="test" action={`/you/webhooks/${id}/test`} token={token} submit="Send a test" kind="quiet" />
    )}
    <details>
      <summary>New secret or delete</summary>
      <p>A new secret is shown once. The current one also signs for one more day.</p>
      <Form
        name="secret"
        action={`/you/webhooks/${id}/secret`}
        token={token}
        submit="Make a new secret"
        kind="quiet"
        unswapped
      />
      <p>Deleting the webhook deletes the log of its deliveries too.</p>
      <Form
        name="delete"
        action={`/you/webhooks/${id}/delete`}
        token={token}
        submit="Delete this webhook"
        kind="danger"
      />
    </details>
  </>
);

interface Made {
  id: number;
  url: string;
  secret: string;
}

/** Shows the secret, for the only time. */
export const showSecret = (c: Context<AppEnv>, title: string, { id, url, secret }: Made): Response =>
  showSite(
    c,
    { title, styles: ["own.css"] },
    <div class="settings">
      <h1>{title}</h1>
      <section class="card">
        <h2>{url}</h2>
        <div class="done">
          <h2>Secret</h2>
          <Secret env={c.env} text={secret} />
          <p>Your server verifies our requests with it. Keep it now: it is not shown again.</p>
        </div>
        <p>
          <a class="button" href={`/you/webhooks/${id}`}>
            I have kept it
          </a>
        </p>
      </section>
    </div>,
  );

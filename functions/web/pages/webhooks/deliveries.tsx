import type { WebhookRow } from "../../../../db/queries/webhooks.ts";
import type { WebhookDelivery } from "../../../api/webhooks/representation.ts";
import type { AttemptFailure } from "../../../api/webhooks/vocabulary.ts";
import { EVENT_WORDS } from "./webhook-form.tsx";

interface DeliveriesProps {
  webhook: WebhookRow;
  deliveries: WebhookDelivery[];
  token: string;
}

/** The log of a webhook. Each delivery can be sent again. */
export const Deliveries = ({ webhook, deliveries, token }: DeliveriesProps) =>
  deliveries.length === 0 ? (
    <p class="empty">Nothing was sent in the last 30 days. A test shows whether the address answers.</p>
  ) : (
    <ul class="connected" aria-label="Deliveries">
      {deliveries.map((delivery) => (
        <li>
          <div class="delivery">
            <strong>{EVENT_WORDS[delivery.event] ?? delivery.event}</strong>
            <p class="hint">
              {instant(delivery.created_at)} · {STATES[delivery.state]}
            </p>
            <details>
              <summary>Attempts and content</summary>
              <Attempts delivery={delivery} />
              {/* Scrolls sideways, also by keyboard. */}
              <pre tabindex={0}>
                <code>{JSON.stringify(delivery.payload, null, 2)}</code>
              </pre>
            </details>
          </div>
          {webhook.enabled && (
            <form method="post" action={`/you/webhooks/${webhook.id}/deliveries/${delivery.id}/replay`}>
              <input type="hidden" name="form_token" value={token} />
              <button class="button quiet" type="submit">
                Send again<span class="sr-only">: {instant(delivery.created_at)}</span>
              </button>
            </form>
          )}
        </li>
      ))}
    </ul>
  );

const STATES: Record<WebhookDelivery["state"], string> = {
  pending: "On its way",
  delivered: "Delivered",
  failed: "Failed",
};

const Attempts = ({ delivery: { attempts, next_attempt_at, message_id } }: { delivery: WebhookDelivery }) => (
  <>
    <p class="hint">
      <code>webhook-id: {message_id}</code>
    </p>
    {attempts.length === 0 && <p class="hint">Not tried yet.</p>}
    <ol class="attempts">
      {attempts.map(({ attempted_at, duration, response_code, failure }) => (
        <li>
          {instant(attempted_at)}: {failure === null ? "Delivered" : FAILURES[failure]}
          {response_code !== null && `, status ${response_code}`}, {duration} ms
        </li>
      ))}
    </ol>
    {next_attempt_at !== null && <p class="hint">The next attempt is due at {instant(next_attempt_at)}.</p>}
  </>
);

const FAILURES: Record<AttemptFailure, string> = {
  status: "Not accepted",
  redirect: "It redirected, which we do not follow",
  timeout: "No answer in time",
  unreachable: "Not reachable",
  unresolved: "The host was not found",
  private_target: "The host is on a private network",
  unsigned: "It could not be signed",
};

/** `2026-11-23 12:00:00 UTC`, a form that can be searched for in server logs. */
const instant = (at: string): string => `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;

import type { AppWebhook, Settings } from "../../../db/queries/settings.ts";
import type { DeliveryRow } from "../../../db/queries/webhook-deliveries.ts";
import { Day } from "../../ui/day.tsx";
import type { FormPart } from "./settings-forms.tsx";

/** Lists all webhooks about the user, from any app, each with a button that ends it. */
export const WebhookList = ({ settings, token }: { settings: Settings; token: FormPart["token"] }) =>
  settings.webhooks.length ? (
    <>
      <p>Apps asked us to report activity on your account to these addresses.</p>
      <ul class="connected">
        {settings.webhooks.map((webhook) => (
          <li>
            <div>
              <strong>{webhook.host}</strong> for {webhook.app}
              <p class="hint">{webhook.events.map((event) => EVENTS[event] ?? event).join(", ")}</p>
              <p class="hint">
                {stateOf(webhook)} Made on <Day at={webhook.created_at} />.
              </p>
            </div>
            <form method="post" action={`/settings/webhooks/${webhook.id}/end`}>
              <input type="hidden" name="form_token" value={token(`end webhook ${webhook.id}`)} />
              <button class="button quiet" type="submit">
                {webhook.enabled ? "End" : "Remove"}
                <span class="sr-only">
                  {" "}
                  the webhook to {webhook.host} for {webhook.app}
                </span>
              </button>
            </form>
          </li>
        ))}
      </ul>
    </>
  ) : (
    <p class="hint">No app has asked for reports of activity on your account.</p>
  );

const EVENTS: Record<string, string> = {
  "track.finished": "finished tracks",
  "track.failed": "failed tracks",
  "track.published": "published tracks",
  "comment.created": "comments",
  "like.created": "likes",
  "follow.created": "followers",
} satisfies Record<Exclude<DeliveryRow["event"], "webhook.test">, string>;

const REASONS = {
  failing: "Switched off: the receiver did not answer for five days.",
  gone: "Switched off: the receiver said that it is gone.",
  access_ended: "Switched off with the app's access to your account.",
};

function stateOf({ enabled, disabled_reason: reason }: AppWebhook): string {
  if (enabled) return "Active.";
  return reason ? REASONS[reason] : "Switched off by the app.";
}

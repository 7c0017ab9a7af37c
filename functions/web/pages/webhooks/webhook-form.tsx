import type { DeliveryRow } from "../../../../db/queries/webhook-deliveries.ts";
import { targetRule } from "../../../api/webhooks/target.ts";
import { EVENTS } from "../../../api/webhooks/vocabulary.ts";
import type { Env } from "../../../lib/http/env.ts";
import { changedIn, shownIn } from "../../../ui/changed-fields.ts";
import { Field, Form, type FormState } from "../../../ui/form.tsx";

/** Events in plain words. */
export const EVENT_WORDS: Record<string, string> = {
  "track.finished": "A track of yours is ready to play",
  "track.failed": "A track of yours could not be encoded",
  "track.published": "A track of yours is published at its time",
  "comment.created": "Somebody comments on your track",
  "like.created": "Somebody likes your track or set",
  "follow.created": "Somebody follows you",
  "webhook.test": "A test",
} satisfies Record<DeliveryRow["event"], string>;

/** The field's name in the form. */
const fieldOf = (event: string) => event.replace(".", "_");

/** Converts the form's fields to the API's. */
export const webhookOf = (sent: Record<string, string>) => ({
  url: sent.url?.trim() ?? "",
  events: EVENTS.filter((event) => sent[fieldOf(event)] !== undefined),
});

/** The API's fields that the form changed. */
export const changesOf = (sent: Record<string, string>) => {
  const { url, events } = webhookOf(sent);
  const boxes = changedIn(sent, Object.fromEntries(EVENTS.map((event) => [fieldOf(event), event])));
  return {
    ...changedIn(sent, { url, enabled: sent.enabled !== undefined }),
    ...(Object.keys(boxes).length > 0 && { events }),
  };
};

/** Converts a webhook to the form's values. */
export const valuesOf = ({ url, events, enabled }: { url: string; events: string[]; enabled: boolean }) => ({
  url,
  ...Object.fromEntries(events.map((event) => [fieldOf(event), "on"])),
  ...(enabled && { enabled: "on" }),
});

interface WebhookFormProps {
  env: Env;
  action: string;
  token: string;
  state: FormState;
  submit: string;
  isNew?: boolean;
}

export const WebhookForm = ({ env, action, token, state, submit, isNew = false }: WebhookFormProps) => (
  <Form
    name="webhook"
    action={action}
    token={token}
    state={state}
    submit={submit}
    labels={{ url: "Address", events: "Events" }}
    unswapped={isNew}
    hidden={isNew ? {} : shownIn(state)}
  >
    <Field
      form="webhook"
      name="url"
      label="Address"
      type="url"
      state={state}
      maxlength={2000}
      hint={
        targetRule(env).anywhere
          ? "It begins with https:// or http://, and may be on the network of this service, such as http://localhost:8080/."
          : "It begins with https:// and is on a public host."
      }
    />
    <fieldset class="checks" id="webhook-events" aria-describedby={state.problems.events && "events-problem"}>
      <legend>Tell this address when</legend>
      {state.problems.events && (
        <p class="problem" id="events-problem">
          Events {state.problems.events}
        </p>
      )}
      {EVENTS.map((event) => (
        <Check name={fieldOf(event)} label={EVENT_WORDS[event] ?? event} code={event} state={state} />
      ))}
    </fieldset>
    {!isNew && <Check name="enabled" label="Switched on" state={state} />}
  </Form>
);

type CheckProps = { name: string; label: string; code?: string; state: FormState };

const Check = ({ name, label, code, state }: CheckProps) => (
  <label class="check">
    <input type="checkbox" name={name} value="on" checked={state.values[name] !== undefined} />
    <span>
      {label} {code && <code>{code}</code>}
    </span>
  </label>
);

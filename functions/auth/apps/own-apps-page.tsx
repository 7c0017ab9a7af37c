import type { Context } from "hono";
import type { ClientType, ListedApp, OwnAppRow } from "../../../db/queries/apps.ts";
import { appsNeedPlan, type Registered } from "../../api/apps/registration.ts";
import { deprecationsAt, isEnding } from "../../lib/http/deprecations.ts";
import type { AppEnv, Env } from "../../lib/http/env.ts";
import { webUrl } from "../../lib/http/links.ts";
import { shownIn } from "../../ui/changed-fields.ts";
import { Day } from "../../ui/day.tsx";
import { EMPTY, Field, Form, type FormState } from "../../ui/form.tsx";
import { formToken } from "../../ui/form-guard.ts";
import { showPage } from "../../ui/page.tsx";
import { Sentence } from "../../ui/prose.tsx";
import { Operators } from "../../ui/registration.tsx";
import { Secret } from "../../ui/secret.tsx";
import { day } from "../../ui/words.ts";
import { AppSnippets } from "./app-snippets.tsx";
import { Handover, handoverAction, type Waiting } from "./handover.tsx";

export interface Shown {
  plan: string;
  apps: ListedApp[];
  state: FormState;
  /** The app whose form `state` belongs to. Default: the form of a new app. */
  edited?: number;
  waiting?: Waiting | undefined;
}

/** Subjects of the form tokens: a token is valid for this action only. */
export const REGISTER = "register an app";
export const editing = (id: number) => `edit app ${id}`;
export const rotating = (id: number) => `rotate the secret of app ${id}`;
export const deleting = (id: number) => `delete app ${id}`;

export const showApps = (c: Context<AppEnv>, { plan, apps, state, edited, waiting }: Shown): Response =>
  showPage(
    c,
    "Your apps",
    <div class="settings">
      <div class="settings-head">
        <h1>Your apps</h1>
        <a href="/settings">Settings</a>
      </div>
      {appsNeedPlan(c.env) && plan === "free" ? (
        <PlanNeeded waiting={waiting} />
      ) : (
        <Registration c={c} state={edited === undefined ? state : EMPTY} waiting={waiting} />
      )}
      {apps.map((app) => (
        <OwnApp c={c} app={app} state={app.id === edited ? state : undefined} />
      ))}
    </div>,
    Object.keys(state.problems).length > 0 ? 422 : 200,
    handoverAction(waiting),
    false,
  );

const PLAN_NEEDED = "Registering an app needs a paid plan";

const PlanNeeded = ({ waiting }: Pick<Shown, "waiting">) => (
  <section class="card">
    <h2>{PLAN_NEEDED}</h2>
    <p>With the plan artist or artist-pro you can register apps of your own here.</p>
    {waiting && <Handover waiting={waiting} outcome={{ error: PLAN_NEEDED }} words="Back to the terminal" />}
  </section>
);

const LABELS = {
  name: "Name",
  client_type: "Where it runs",
  external_url: "Web site",
  redirect_uris: "Redirect URIs",
};

const RUNS: [ClientType, string][] = [
  ["confidential", "On a server: with a secret"],
  ["public", "On people's devices: no secret"],
];

type RegistrationProps = { c: Context<AppEnv>; state: FormState; waiting: Waiting | undefined };

const Registration = ({ c, state, waiting }: RegistrationProps) => (
  <section class="card">
    <h2>Register an app</h2>
    {waiting && (
      <p>A program on this device asks for this. Register the app only if you started it yourself.</p>
    )}
    <Form
      name="register"
      action="/you/apps"
      token={formToken(c, REGISTER)}
      state={state}
      labels={LABELS}
      hidden={{ ...waiting }}
      submit="Register"
    >
      <AppFields form="register" state={state} />
      <Field
        form="register"
        name="client_type"
        label={LABELS.client_type}
        hint="This stays. An app that is installed or opened by others cannot keep a secret."
        options={RUNS}
        state={state}
      />
    </Form>
  </section>
);

const AppFields = ({ form, state }: { form: string; state: FormState }) => (
  <>
    <Field
      form={form}
      name="name"
      label={LABELS.name}
      hint="Shown to people when the app asks for access."
      state={state}
    />
    <Field form={form} name="external_url" label={LABELS.external_url} type="url" optional state={state} />
    <Field
      form={form}
      name="redirect_uris"
      label={LABELS.redirect_uris}
      hint="One per line: https://…, http://127.0.0.1/… for any port, or your own scheme, best a domain name in reverse order: com.example.app:/callback."
      rows={3}
      state={state}
    />
  </>
);

const valuesOf = ({ name, external_url, redirect_uris }: OwnAppRow): FormState => ({
  values: { name, external_url, redirect_uris: redirect_uris.join("\n") },
  problems: {},
});

type OwnAppProps = { c: Context<AppEnv>; app: ListedApp; state?: FormState | undefined };

const OwnApp = ({ c, app, state }: OwnAppProps) => (
  <section class="card" data-app={app.id} id={`app-${app.id}`}>
    <h2>{app.revoked_at ? app.name : <a href={webUrl(c.env, `/apps/${app.permalink}`)}>{app.name}</a>}</h2>
    {app.revoked_at && (
      <div class="ending">
        <p>
          <strong>
            The operators revoked this app on <Day at={app.revoked_at} />
          </strong>
          : its tokens and sessions ended, for everybody, and it gets no new ones.
        </p>
        {app.revoked_for !== null && <p>They say: “{app.revoked_for}”</p>}
        <p>
          Ask <Operators env={c.env} words="the operators" /> for{" "}
          {app.revoked_for === null ? "the reason" : "more"}. If they restore the app, its users allow it
          anew; the client id and the secret stay.
        </p>
      </div>
    )}
    <Facts app={app} />
    {app.previous_secret_expires_at && (
      <p class="hint">
        The secret before this one is accepted until <Day at={app.previous_secret_expires_at} />.
      </p>
    )}
    <Endings env={c.env} of={app.deprecated_uses} />
    <details open={state !== undefined}>
      <summary>Edit</summary>
      <Form
        name={`edit-${app.id}`}
        action={`/you/apps/${app.id}`}
        token={formToken(c, editing(app.id))}
        state={state}
        labels={LABELS}
        hidden={shownIn(state ?? valuesOf(app))}
        submit="Save"
      >
        <AppFields form={`edit-${app.id}`} state={state ?? valuesOf(app)} />
      </Form>
    </details>
    {!app.revoked_at && (
      <details>
        <summary>Use it</summary>
        <AppSnippets env={c.env} app={app} />
      </details>
    )}
    <details>
      <summary>{app.client_type === "public" ? "Delete" : "New secret or delete"}</summary>
      {app.client_type === "confidential" && (
        <>
          <p>A new secret is shown once. The current one remains valid for seven days.</p>
          <Form
            name={`rotate-${app.id}`}
            action={`/you/apps/${app.id}/secret`}
            token={formToken(c, rotating(app.id))}
            submit="Make a new secret"
            kind="quiet"
          />
        </>
      )}
      <p>Deleting the app ends all its tokens, for all its users. Tracks uploaded with it stay.</p>
      <Form
        name={`delete-${app.id}`}
        action={`/you/apps/${app.id}/delete`}
        token={formToken(c, deleting(app.id))}
        submit="Delete this app"
        kind="danger"
      />
    </details>
  </section>
);

/** Warns of what the app uses that ends. */
const Endings = ({ env, of }: { env: Env; of: ListedApp["deprecated_uses"] }) => (
  <>
    {deprecationsAt(env)
      .filter(isEnding)
      .flatMap((one) => of.filter(({ deprecation }) => deprecation === one.id).map((use) => ({ one, use })))
      .map(({ one, use }) => (
        <div class="ending">
          <p>
            <strong>It uses what ends on {day(one.ends)}</strong>: <Sentence text={one.title} />. It did so
            last on {day(use.used_on)}.
          </p>
          <p>
            <a href={`${env.API_URL}${one.replacement}`}>What replaces it</a>
          </p>
        </div>
      ))}
  </>
);

const Facts = ({ app }: { app: OwnAppRow }) => (
  <dl class="facts">
    <div>
      <dt>Client id</dt>
      <dd>
        <code>{app.client_id}</code>
      </dd>
    </div>
    {app.client_type === "public" && (
      <div>
        <dt>Client secret</dt>
        <dd>none: the app is public</dd>
      </div>
    )}
    <div>
      <dt>Redirect URIs</dt>
      {app.redirect_uris.map((uri) => (
        <dd>
          <code>{uri}</code>
        </dd>
      ))}
    </div>
  </dl>
);

/** Shows the secret once: only its hash is stored. */
export const showKey = (
  c: Context<AppEnv>,
  title: string,
  { app, secret }: Registered,
  waiting?: Waiting,
): Response =>
  showPage(
    c,
    title,
    <div class="settings">
      <h1>{title}</h1>
      <section class="card">
        <h2>{app.name}</h2>
        <Facts app={app} />
        {secret !== undefined && (
          <div class="done">
            <h2>Client secret</h2>
            <Secret env={c.env} text={secret} />
            <p>Keep it now, in a safe place: it is not shown again.</p>
          </div>
        )}
        {waiting && (
          <Handover
            waiting={waiting}
            outcome={{ client_id: app.client_id, client_secret: secret }}
            words="Send it to the terminal"
          />
        )}
        <p>
          <a class={waiting ? "button quiet" : "button"} href="/you/apps">
            {secret === undefined ? "To your apps" : "I have kept it"}
          </a>
        </p>
      </section>
    </div>,
    200,
    handoverAction(waiting),
    false,
  );

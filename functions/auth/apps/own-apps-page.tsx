import type { Context } from "hono";
import type { OwnAppRow } from "../../../db/queries/apps.ts";
import { appsNeedPlan, type Registered } from "../../api/apps/registration.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { webUrl } from "../../lib/http/links.ts";
import { shownIn } from "../../ui/changed-fields.ts";
import { Day } from "../../ui/day.tsx";
import { EMPTY, Field, Form, type FormState } from "../../ui/form.tsx";
import { formToken } from "../../ui/form-guard.ts";
import { showPage } from "../../ui/page.tsx";
import { AppSnippets } from "./app-snippets.tsx";

interface Shown {
  plan: string;
  apps: OwnAppRow[];
  state?: FormState | undefined;
  /** The app whose form `state` belongs to. Default: the form of a new app. */
  edited?: number | undefined;
}

/** Subjects of the form tokens: a token is valid for this action only. */
export const REGISTER = "register an app";
export const editing = (id: number) => `edit app ${id}`;
export const rotating = (id: number) => `rotate the secret of app ${id}`;
export const deleting = (id: number) => `delete app ${id}`;

export const showApps = (c: Context<AppEnv>, { plan, apps, state = EMPTY, edited }: Shown): Response =>
  showPage(
    c,
    "Your apps",
    <div class="settings">
      <div class="settings-head">
        <h1>Your apps</h1>
        <a href="/settings">Settings</a>
      </div>
      {appsNeedPlan(c.env) && plan === "free" ? (
        <PlanNeeded />
      ) : (
        <Registration c={c} state={edited === undefined ? state : EMPTY} />
      )}
      {apps.map((app) => (
        <OwnApp c={c} app={app} state={app.id === edited ? state : undefined} />
      ))}
    </div>,
    state === EMPTY ? 200 : 422,
  );

const PlanNeeded = () => (
  <section class="card">
    <h2>Registering an app needs a paid plan</h2>
    <p>With the plan artist or artist-pro you can register apps of your own here.</p>
  </section>
);

const LABELS = { name: "Name", external_url: "Web site", redirect_uris: "Redirect URIs" };

const Registration = ({ c, state }: { c: Context<AppEnv>; state: FormState }) => (
  <section class="card">
    <h2>Register an app</h2>
    <Form
      name="register"
      action="/you/apps"
      token={formToken(c, REGISTER)}
      state={state}
      labels={LABELS}
      submit="Register"
    >
      <AppFields form="register" state={state} />
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

type OwnAppProps = { c: Context<AppEnv>; app: OwnAppRow; state?: FormState | undefined };

const OwnApp = ({ c, app, state }: OwnAppProps) => (
  <section class="card" data-app={app.id} id={`app-${app.id}`}>
    <h2>
      <a href={webUrl(c.env, `/apps/${app.permalink}`)}>{app.name}</a>
    </h2>
    <Facts app={app} />
    {app.previous_secret_expires_at && (
      <p class="hint">
        The secret before this one is accepted until <Day at={app.previous_secret_expires_at} />.
      </p>
    )}
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
    <details>
      <summary>Use it</summary>
      <AppSnippets env={c.env} app={app} />
    </details>
    <details>
      <summary>New secret or delete</summary>
      <p>A new secret is shown once. The current one remains valid for seven days.</p>
      <Form
        name={`rotate-${app.id}`}
        action={`/you/apps/${app.id}/secret`}
        token={formToken(c, rotating(app.id))}
        submit="Make a new secret"
        kind="quiet"
      />
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

const Facts = ({ app }: { app: OwnAppRow }) => (
  <dl class="facts">
    <div>
      <dt>Client id</dt>
      <dd>
        <code>{app.client_id}</code>
      </dd>
    </div>
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
export const showSecret = (c: Context<AppEnv>, title: string, { app, secret }: Registered): Response =>
  showPage(
    c,
    title,
    <div class="settings">
      <h1>{title}</h1>
      <section class="card">
        <h2>{app.name}</h2>
        <Facts app={app} />
        <div class="done" role="status">
          <h2>Client secret</h2>
          <p>
            <code class="secret">{secret}</code>
          </p>
          <p>Keep it now, in a safe place: it is not shown again.</p>
        </div>
        <p>
          <a class="button" href="/you/apps">
            I have kept it
          </a>
        </p>
      </section>
    </div>,
  );

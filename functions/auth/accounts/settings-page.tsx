import type { Context } from "hono";
import type { Child } from "hono/jsx";
import type { ConnectedApp, Settings } from "../../../db/queries/settings.ts";
import { avatarUrl } from "../../api/images/links.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { webUrl } from "../../lib/http/links.ts";
import { Day } from "../../ui/day.tsx";
import { Form, type FormState } from "../../ui/form.tsx";
import { formToken } from "../../ui/form-guard.ts";
import { formActionTo } from "../../ui/next.ts";
import { showPage } from "../../ui/page.tsx";
import { allowedIn } from "../oauth/powers.tsx";
import { BrowserList } from "./browser-list.tsx";
import { isNotice, Notice } from "./notices.tsx";
import { PictureForm } from "./picture-form.tsx";
import { Plan } from "./plan.tsx";
import { DeleteForm, EmailForms, type FormPart, PasswordForm, ProfileForm } from "./settings-forms.tsx";
import { WebhookList } from "./webhook-list.tsx";

/** The form to show again. */
export type SentForm = "picture" | "profile" | "email" | "password" | "delete";

export function showSettings(
  c: Context<AppEnv>,
  settings: Settings,
  sent?: { form: SentForm; state: FormState },
): Response {
  const notice = c.req.query("notice");
  const token = (subject: string) => formToken(c, subject);
  const part = (form: SentForm): FormPart => ({
    settings,
    token,
    state: sent?.form === form ? sent.state : undefined,
  });
  const pictureUrl =
    settings.avatar_version && avatarUrl(c.env, settings.avatar_version).replace("-large.", "-t300x300.");
  const body = (
    <div class="settings">
      <header class="settings-head">
        <div>
          <p class="eyebrow">Settings</p>
          <h1>{settings.profile.username}</h1>
        </div>
        <form method="post" action="/signout">
          <input type="hidden" name="form_token" value={token("sign-out")} />
          <button class="button quiet" type="submit">
            Sign out
          </button>
        </form>
      </header>
      {!sent && isNotice(notice) && (
        <Notice name={notice} to={settings.pending_email ?? settings.user.email} />
      )}
      <Section id="picture" title="Picture">
        <PictureForm {...part("picture")} src={pictureUrl} />
      </Section>
      <Section id="profile" title="Profile">
        <ProfileForm {...part("profile")} />
      </Section>
      <Section id="address" title="Address of your profile">
        <p>
          <a href={webUrl(c.env, `/${settings.user.permalink}`)}>
            {webUrl(c.env, `/${settings.user.permalink}`)}
          </a>
        </p>
        <p>
          You can <a href={webUrl(c.env, "/you/address")}>change it</a>. The current one goes on leading to
          you.
        </p>
      </Section>
      <Section id="links" title="Links and connections">
        <p>
          <a href={webUrl(c.env, "/you/links")}>Links on your profile</a> lead to your other pages.{" "}
          <a href={webUrl(c.env, "/you/connections")}>Connections</a> are profiles at other services where
          apps may post for you.
        </p>
      </Section>
      <Section id="news" title="Mails about news">
        <p>
          You get none that you did not choose. <a href={webUrl(c.env, "/you/notifications/mails")}>Choose</a>{" "}
          which comments, followers, likes and tracks you are told of by mail, and when.
        </p>
      </Section>
      <Section id="plan" title="Plan">
        <Plan env={c.env} settings={settings} />
      </Section>
      <Section id="email" title="E-mail address">
        <EmailForms {...part("email")} />
      </Section>
      <Section id="password" title="Password">
        <PasswordForm {...part("password")} />
      </Section>
      <Section id="apps" title="Connected apps">
        <ConnectedApps apps={settings.apps} token={token} />
        <p>
          Apps that you make yourself are <a href="/you/apps">under “Your apps”</a>. Scripts of your own need
          only a <a href="/settings/tokens">personal token</a>.
        </p>
      </Section>
      <Section id="browsers" title="Signed-in browsers">
        <BrowserList settings={settings} token={token} />
      </Section>
      <Section id="webhooks" title="Webhooks">
        <WebhookList settings={settings} token={token} />
        <p>
          You make your own <a href={webUrl(c.env, "/you/webhooks")}>under “Webhooks”</a>.
        </p>
      </Section>
      <Section id="export" title="Your data">
        <p>
          A JSON file with your profile, tracks and sets, their insights by day, what you wrote, liked,
          reposted, followed and played, your apps and your sessions. The audio itself is downloaded from each
          track.
        </p>
        <Form
          name="export"
          action="/settings/export"
          token={token("export")}
          submit="Download my data"
          kind="quiet"
        />
      </Section>
      <Section id="delete" title="Delete the account">
        <p>
          Your profile, tracks and apps disappear at once and are erased soon after. Nobody can bring them
          back.
        </p>
        <DeleteForm {...part("delete")} />
      </Section>
    </div>
  );
  // Setting a new password redirects through the site.
  return showPage(c, "Settings", body, sent ? 422 : 200, formActionTo(c.env, "/session/code"), false);
}

const Section = ({ id, title, children }: { id: string; title: string; children?: Child }) => (
  <section class="card" id={id} aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`}>{title}</h2>
    {children}
  </section>
);

const ConnectedApps = ({ apps, token }: { apps: ConnectedApp[]; token: FormPart["token"] }) =>
  apps.length ? (
    <ul class="connected">
      {apps.map((app) => (
        <li>
          <div>
            <strong>{app.name}</strong> {app.owner !== null && `by ${app.owner}`}
            <p class="hint">{allowedIn(app.scope)}</p>
            <p class="hint">
              Since <Day at={app.since} />
              {app.last_used_at && (
                <>
                  , last used <Day at={app.last_used_at} />
                </>
              )}
            </p>
          </div>
          <form method="post" action={`/settings/apps/${app.id}/revoke`}>
            <input type="hidden" name="form_token" value={token(`revoke ${app.id}`)} />
            <button class="button quiet" type="submit">
              Disconnect<span class="sr-only"> {app.name}</span>
            </button>
          </form>
        </li>
      ))}
    </ul>
  ) : (
    <p class="hint">No app has access to your account. Apps that you allow appear here.</p>
  );

import type { Context } from "hono";
import type { Child } from "hono/jsx";
import type { StoppedAttempt } from "../../../db/queries/connections.ts";
import { serviceTitle } from "../../api/connections/services.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { destinationOf } from "../../lib/security/redirect-match.ts";
import { formToken } from "../../ui/form-guard.ts";
import { siteName } from "../../ui/name.ts";
import { signInPath } from "../../ui/next.ts";
import { sendPage } from "../../ui/policy.ts";
import { Frame } from "../oauth/frame.tsx";
import { withQuery } from "../oauth/redirect-reply.ts";

/** Names the account that would receive the profile, because anybody can send another person a link to the service. */
export function askForAccount(c: Context<AppEnv>, attempt: StoppedAttempt): Response {
  const { username, app, service, signed_in_as: other } = attempt;
  const next = pathBack(c, attempt.redirect_uri);
  return stop(
    c,
    `Is ${username} your account?`,
    <>
      <p class="eyebrow">{other === null ? "Nobody is signed in here" : `Signed in as ${other}`}</p>
      <h1>
        Is <q>{username}</q> your account?
      </h1>
      <p>
        <strong>{app}</strong> asked to connect your {serviceTitle(service)} profile to the {siteName(c.env)}{" "}
        account <strong>{username}</strong>. Whoever has that account could then post to your profile.
      </p>
      <p>Go on only if you started this yourself. Otherwise close this page: nothing is connected.</p>
      {other === null ? (
        <p class="actions">
          <a class="button" href={signInPath(next)}>
            Sign in as {username}
          </a>
        </p>
      ) : (
        <form class="actions" method="post" action="/signout">
          <input type="hidden" name="form_token" value={formToken(c, "sign-out")} />
          <input type="hidden" name="next" value={next} />
          <button class="button" type="submit">
            Sign in as {username}
          </button>
        </form>
      )}
    </>,
  );
}

/** Does not redirect after a refusal: the app chose the URL, which is not registered. */
export function showRefusal(c: Context<AppEnv>, { redirect_uri, service }: StoppedAttempt): Response {
  return stop(
    c,
    "Nothing was connected",
    <>
      <p class="eyebrow">{serviceTitle(service)}</p>
      <h1>Nothing was connected</h1>
      <p>You did not allow it there.</p>
      <p class="actions">
        <a class="button quiet" href={withQuery(redirect_uri, { success: "false" })} rel="noreferrer">
          Back to {destinationOf(redirect_uri)}
        </a>
      </p>
    </>,
  );
}

const stop = (c: Context<AppEnv>, title: string, body: Child) =>
  sendPage(
    c,
    <Frame env={c.env} title={title}>
      <section class="card message consent" data-status={403}>
        {body}
      </section>
    </Frame>,
    { status: 403, cacheControl: "no-store", formAction: "'self'", keepsOpener: true, hasSearch: false },
  );

/**
 * Returns this page's own path. The app's redirect URI is added, because the sign-in page's policy also covers later
 * redirects.
 */
function pathBack(c: Context<AppEnv>, redirectUri: string): string {
  const { pathname, searchParams } = new URL(c.req.url);
  searchParams.set("redirect_uri", redirectUri);
  return `${pathname}?${searchParams}`;
}

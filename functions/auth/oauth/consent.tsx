import type { AuthorizingApp, AuthorizingUser } from "../../../db/queries/authorize.ts";
import type { Env } from "../../lib/http/env.ts";
import { webUrl } from "../../lib/http/links.ts";
import { destinationOf } from "../../lib/security/redirect-match.ts";
import { siteName } from "../../ui/name.ts";
import { Frame } from "./frame.tsx";
import { Powers, powersOf } from "./powers.tsx";

interface ConsentProps {
  env: Env;
  app: AuthorizingApp;
  user: AuthorizingUser;
  scope: string;
  redirectUri: string;
  /** The same request, so that the form posts to the URL that showed it. */
  action: string;
  formToken: string;
  signOut: { formToken: string; next: string };
  popup: boolean;
}

/** Shows which app asks for what, and where the reply goes. The user needs all of it to decide. */
export const ConsentPage = ({ env, app, user, scope, redirectUri, popup, ...forms }: ConsentProps) => (
  <Frame env={env} title={`Allow ${app.name}?`} popup={popup}>
    <section class="card message consent">
      <p class="eyebrow">Signed in as {user.username}</p>
      <h1>
        Allow <q>{app.name}</q> to use your account?
      </h1>
      <p>
        An app by <a href={webUrl(env, `/${app.creator_permalink}`)}>{app.creator}</a>
        {app.external_url && (
          <>
            {" "}
            (
            <a href={app.external_url} rel="nofollow noopener noreferrer">
              {new URL(app.external_url).host}
            </a>
            )
          </>
        )}
        , not by {siteName(env)}. Allow it only if you started this yourself.
      </p>
      <Powers {...powersOf(scope)} />
      <p>It never sees your password or your e-mail address. You can revoke this under Settings.</p>
      <p>
        Your answer goes to <strong class="destination">{destinationOf(redirectUri)}</strong>.
        {!redirectUri.startsWith("https:") && " Any program on the device can ask under this name."}
      </p>
      <form class="actions" method="post" action={forms.action}>
        <input type="hidden" name="form_token" value={forms.formToken} />
        <button class="button" type="submit" name="decision" value="approve">
          Allow
        </button>
        <button class="button quiet" type="submit" name="decision" value="deny">
          Do not allow
        </button>
      </form>
      <form class="other-account" method="post" action="/signout">
        <input type="hidden" name="form_token" value={forms.signOut.formToken} />
        <input type="hidden" name="next" value={forms.signOut.next} />
        Not {user.username}?{" "}
        <button class="link" type="submit">
          Use another account
        </button>
      </form>
    </section>
  </Frame>
);

import type { AuthorizingApp, AuthorizingUser } from "../../../db/queries/authorize.ts";
import type { Env } from "../../lib/http/env.ts";
import { webUrl } from "../../lib/http/links.ts";
import { destinationOf } from "../../lib/security/redirect-match.ts";
import { siteName } from "../../ui/name.ts";
import { Frame } from "./frame.tsx";

interface ConsentProps {
  env: Env;
  app: AuthorizingApp;
  user: AuthorizingUser;
  redirectUri: string;
  /** The same request, so that the form posts to the URL that showed it. */
  action: string;
  formToken: string;
  signOut: { formToken: string; next: string };
  popup: boolean;
}

/** Shows which app asks for what, and where the reply goes. The user needs all of it to decide. */
export const ConsentPage = ({ env, app, user, redirectUri, popup, ...forms }: ConsentProps) => (
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
      <div>
        <h2>It will be able to</h2>
        <ul class="grants">
          <li>
            see your profile, your tracks and playlists, private ones included, your feed, and what you played
          </li>
          <li>change your profile, its address, your name and your links</li>
          <li>upload, import, publish, change, share and delete tracks and playlists</li>
          <li>like, repost, comment and follow in your name</li>
          <li>accept and decline credits on tracks of others in your name</li>
          <li>add and remove your connections to other services, and choose what is posted there</li>
          <li>have us report activity on your account to an address of its choice</li>
          <li>register apps in your name, and renew or delete those it registered</li>
        </ul>
      </div>
      <p>It never sees your password or your e-mail address. You can revoke this under Settings.</p>
      <p>
        Your answer goes to <strong class="destination">{destinationOf(redirectUri)}</strong>.
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

import type { Context } from "hono";
import { openDocsSession } from "../../../db/queries/site-sessions.ts";
import { issueAccessToken } from "../../lib/http/access-token.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { apiUrl } from "../../lib/http/links.ts";
import { Routes } from "../../lib/http/route.ts";
import { siteSessionHash } from "../../ui/cookies.ts";
import { formToken, readOwnForm } from "../../ui/form-guard.ts";
import { ownPath, signInPath } from "../../ui/next.ts";
import { seeOther, showCard, showError } from "../../ui/page.tsx";
import { Secret } from "../../ui/secret.tsx";

/** {auth_url}: issues a token for trying the API, to an app that the user sees and can end. */
export const docsToken = new Routes({ renderError: showError });

const PATH = "/you/token";
const GET_TOKEN = "get a token for the docs";
/** Seconds. */
const TTL_S = 3_600;

docsToken.page(PATH, (c) => {
  const next = docsPath(c.req.query("next"));
  if (!siteSessionHash(c)) return toSignIn(c, next);
  return showCard(c, {
    title: "A token for trying the API",
    formAction: `'self' ${new URL(c.env.API_URL).origin}`,
    body: (
      <>
        <p>
          It acts in your name for an hour, or until you sign out here. The app “Try it from the docs” has it:
          end its access under <a href="/settings">Settings</a>.
        </p>
        <form method="post" action={PATH}>
          <input type="hidden" name="form_token" value={formToken(c, GET_TOKEN)} />
          <input type="hidden" name="next" value={next} />
          <button class="button" type="submit">
            Get a token
          </button>
        </form>
      </>
    ),
  });
});

docsToken.form(PATH, async (c) => {
  const sent = await readOwnForm(c, GET_TOKEN);
  const next = docsPath(sent.next);
  const opened = await openDocsSession(c.var.db, siteSessionHash(c) ?? "", TTL_S);
  if (!opened) return toSignIn(c, next);
  const viewer = { sessionId: opened.session, clientId: opened.client, userId: opened.user };
  const token = await issueAccessToken(c.env, viewer, "", TTL_S);
  if (next) return toDocs(c, next, token);
  return showCard(c, {
    title: "Your token",
    body: (
      <>
        <p>Send it as a header. It ends in an hour, or when you sign out.</p>
        {/* The quick start finds the token by this id. */}
        <Secret env={c.env} text={token} id="token" />
      </>
    ),
  });
});

/** The docs page that asked, or "" to show the token here. */
const docsPath = (next: string | undefined): string => {
  const path = ownPath(next, "");
  // Browsers resolve `/docs/../elsewhere` before they request it.
  const { pathname } = new URL(path, "http://nowhere.invalid");
  return /^\/docs(?:\/|$)/.test(pathname) ? path : "";
};

const toSignIn = (c: Context<AppEnv>, next: string) =>
  seeOther(c, signInPath(next ? `${PATH}?${new URLSearchParams({ next })}` : PATH));

/** Only the page's scripts see a fragment; servers and logs do not. Returns the page's own fragment with the token. */
function toDocs(c: Context<AppEnv>, next: string, token: string): Response {
  const [path = "", asked = ""] = next.split("#");
  const fragment = new URLSearchParams([["access_token", token], ...new URLSearchParams(asked)]);
  c.header("Cache-Control", "no-store");
  return c.redirect(apiUrl(c.env, `${path}#${fragment}`), 303);
}

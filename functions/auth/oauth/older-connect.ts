import type { Context } from "hono";
import type { AppEnv } from "../../lib/http/env.ts";
import { Routes } from "../../lib/http/route.ts";
import { askForConsent, refuseMethod, takeDecision } from "./authorize.tsx";
import type { Rules } from "./authorize-rules.ts";
import { renderBrowserError } from "./browser-error.tsx";
import { ConnectQuery } from "./input.ts";
import { olderOnly, parseOlderScope } from "./older-only.ts";

const RULES: Rules = {
  responseTypes: {
    code: "code",
    token: "token",
    code_and_token: "code_and_token",
    token_and_code: "code_and_token",
  },
  pkceRequired: false,
  parseScope: parseOlderScope,
  sendsIssuer: false,
};

/** {web_url} and {base_url}. Works like `/authorize`, for clients from before PKCE. */
export const connect = new Routes({ renderError: renderBrowserError });

connect.get(
  "/connect",
  {
    operationId: "connect",
    summary: "Ask a user to allow an app (older)",
    description:
      "Older behaviour, opened in the user's browser; 410 where the deployment has switched it off. Use `/authorize`. Works at the addresses of the site and the API too, which redirect here. After approval the browser goes to `redirect_uri` with `code`, or with `access_token` in the fragment, and `state`. Replies carry `Deprecation` and `Sunset`.",
    tag: "oauth",
    auth: "page",
    ownQuery: ConnectQuery,
    replies: { 200: "text/html", 303: "", 400: "text/html", 410: "text/html" },
    errors: {
      400: "A page: `client_id` or `redirect_uri` is not the app's own, or a parameter is wrong or was sent twice.",
      410: "A page: the deployment has closed this older endpoint.",
    },
  },
  (c) => {
    olderOnly(c);
    const elsewhere = toAuthHost(c);
    if (elsewhere) return elsewhere;
    c.set("usingClient", c.req.query("client_id"));
    return askForConsent(c, RULES);
  },
);

connect.form("/connect", (c) => {
  olderOnly(c);
  return takeDecision(c, RULES);
});

connect.otherwise("/connect", (c) => {
  olderOnly(c);
  return refuseMethod(c);
});

/** Redirects to the sign-in host, the only one that gets the session's cookie. */
function toAuthHost(c: Context<AppEnv>): Response | undefined {
  const { host, search } = new URL(c.req.url);
  if (host === new URL(c.env.AUTH_URL).host || c.req.method !== "GET") return undefined;
  return c.redirect(`${c.env.AUTH_URL}${c.req.path}${search}`, 303);
}

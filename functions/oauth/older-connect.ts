import type { Context } from "hono";
import type { AppEnv } from "../http/env.ts";
import { Routes } from "../http/route.ts";
import { askForConsent, refuseMethod, takeDecision } from "./authorize.tsx";
import type { Rules } from "./authorize-rules.ts";
import { renderBrowserError } from "./browser-error.tsx";
import { OLDER_SCOPES, olderOnly } from "./older-only.ts";

const RULES: Rules = {
  responseTypes: {
    code: "code",
    token: "token",
    code_and_token: "code_and_token",
    token_and_code: "code_and_token",
  },
  pkceRequired: false,
  scopes: OLDER_SCOPES,
  sendsIssuer: false,
};

/** {web_url} and {base_url}. Works like `/authorize`, for clients from before PKCE. */
export const connect = new Routes({ renderError: renderBrowserError });

connect.page("/connect", (c) => {
  olderOnly(c);
  return toAuthHost(c) ?? askForConsent(c, RULES);
});

connect.form("/connect", (c) => {
  olderOnly(c);
  return takeDecision(c, RULES);
});

connect.otherwise("/connect", (c) => {
  olderOnly(c);
  return refuseMethod(c);
});

/** Redirects to the sign-in host: only there does the browser send the session's cookie. */
function toAuthHost(c: Context<AppEnv>): Response | undefined {
  const { host, search } = new URL(c.req.url);
  if (host === new URL(c.env.AUTH_URL).host || c.req.method !== "GET") return undefined;
  return c.redirect(`${c.env.AUTH_URL}${c.req.path}${search}`, 303);
}

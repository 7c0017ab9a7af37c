import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../http/env.ts";
import { consentRoutes } from "./authorize.tsx";
import { OLDER_SCOPES, olderOnly } from "./older-only.ts";

/** Where people are signed in. On any other host there is no cookie to know them by. */
const onAuthHost = createMiddleware<AppEnv>(async (c, next) => {
  const { host, search } = new URL(c.req.url);
  if (host === new URL(c.env.AUTH_URL).host || c.req.method !== "GET") return next();
  return c.redirect(`${c.env.AUTH_URL}${c.req.path}${search}`, 303);
});

/** {web_url}: as `/authorize`, for clients from before PKCE. */
export const connect = consentRoutes(
  "/connect",
  {
    responseTypes: {
      code: "code",
      token: "token",
      code_and_token: "code_and_token",
      token_and_code: "code_and_token",
    },
    pkceRequired: false,
    scopes: OLDER_SCOPES,
    sendsIssuer: false,
  },
  olderOnly,
  onAuthHost,
);

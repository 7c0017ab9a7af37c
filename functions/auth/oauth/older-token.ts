import type { Context } from "hono";
import * as z from "zod";
import { checkJwtKeys } from "../../lib/http/access-token.ts";
import { ACCESS_TOKEN, REFRESH_TOKEN } from "../../lib/http/document/example-secrets.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { explainError, reasonOf, referenceOf, renderError, typeOf } from "../../lib/http/errors.ts";
import { Routes } from "../../lib/http/route.ts";
import { about } from "../../lib/text/fields.ts";
import { codeOf, OAuthError } from "./errors.ts";
import { readForm, required } from "./form.ts";
import { OlderTokenRequest } from "./input.ts";
import { RefreshRefused } from "./invalid-grant.ts";
import { olderGrants } from "./older-grants.ts";
import { olderOnly } from "./older-only.ts";
import { NO_STORE } from "./token-reply.ts";

/** {base_url}, for clients from before the authorization server had its own host. */
export const olderToken = new Routes({ renderError: renderOlderError });

const OlderTokenReply = z
  .strictObject({
    access_token: z
      .string()
      .meta(about("Send it as `Authorization: OAuth <ACCESS_TOKEN>` or `Bearer`.", ACCESS_TOKEN)),
    scope: z.string().meta(about("`*`, unless the code's own is narrower.", "*")),
    expires_in: z.int().optional().meta(about("Seconds; only with the refresh grant.", 3600)),
    refresh_token: z.string().optional().meta(about("Only with the refresh grant.", REFRESH_TOKEN)),
  })
  .meta({ id: "OlderToken" });

const OlderTokenError = z
  .looseObject({
    error: z.string().nullable().meta(about("Code of RFC 6749; null for other errors.", "invalid_grant")),
    errors: z
      .array(
        z.looseObject({
          error_message: z
            .string()
            .meta(about("One cause, with the field's name.", "track[title]: must not be empty")),
        }),
      )
      .describe("One entry a cause."),
  })
  .meta({ id: "OlderTokenError" });

const failures = Object.fromEntries(
  [400, 401, 410, 413, 429, 503, 504].map((status) => [status, OlderTokenError]),
);

olderToken.post(
  "/oauth2/token",
  {
    operationId: "createOlderToken",
    summary: "Exchange a grant for a token (older)",
    description:
      "Older behaviour, with all parameters in the form; 410 where the deployment has switched it off. Use `/oauth/token`. Replies carry `Deprecation` and `Sunset`.",
    tag: "oauth",
    auth: "page",
    ownBody: { schema: OlderTokenRequest, type: "form" },
    replies: { 200: OlderTokenReply, ...failures },
  },
  async (c) => {
    olderOnly(c);
    const arrivedAt = new Date();
    const form = await readForm(c);
    const name = required(form, "grant_type");
    const grant = Object.hasOwn(olderGrants, name) ? olderGrants[name] : undefined;
    if (!grant)
      throw new OAuthError(
        "unsupported_grant_type",
        `grant_type must be one of: ${Object.keys(olderGrants).join(", ")}`,
      );
    await checkJwtKeys(c.env);
    return c.json(await grant(c, form, arrivedAt), 200, NO_STORE);
  },
);

/**
 * Older clients read the code from `message` and `error_code`, and expect 401 for some refusals that are 400
 * today.
 */
function renderOlderError(error: unknown, c: Context<AppEnv>): Response {
  const known = explainError(error, c);
  if (!(known instanceof OAuthError) && known.status < 500) return renderError(known, c);
  const { causes, headers, meta } = known;
  const code = known instanceof OAuthError ? known.code : codeOf(known);
  const status = UNAUTHORIZED.has(code) || known instanceof RefreshRefused ? 401 : known.status;
  const body = {
    code: status,
    message: code,
    link: referenceOf(c.env, typeOf(known)),
    status: `${status} - ${reasonOf(status)}`,
    errors: causes.map((cause) => ({ error_message: cause, ...(meta && { meta }) })),
    error: code,
    error_description: causes[0],
    error_code: code,
  };
  return c.json(body, status, { ...headers, ...NO_STORE });
}

const UNAUTHORIZED = new Set(["invalid_client", "invalid_scope"]);

import type { ZodOpenApiSecuritySchemeObject } from "zod-openapi";
import type { Env } from "../env.ts";
import { type AnyContract, scopeOf } from "../route.ts";
import { BEYOND_SCOPES, SCOPES } from "../scopes.ts";

const HEADER_FORMS =
  "Send `Authorization: OAuth <ACCESS_TOKEN>`, or `Authorization: Bearer <ACCESS_TOKEN>`; both mean the same.";

const SCOPE_DESCRIPTIONS = {
  ...Object.fromEntries(Object.entries(SCOPES).map(([name, allows]) => [name, `May ${allows}.`])),
  "*": `May do everything, as without a scope: all of the above, and ${BEYOND_SCOPES}.`,
};

/** A user's token comes from the first flow, an app's own token from the second. */
export const securitySchemes = (
  env: Pick<Env, "AUTH_URL">,
): Record<"user" | "app" | "client", ZodOpenApiSecuritySchemeObject> => ({
  user: {
    type: "oauth2",
    description: `A token that a user delegated to an app. PKCE with S256 is required: see \`/authorize\`. Without \`scope\` it may do everything; otherwise each operation needs the scope that it names. ${HEADER_FORMS}`,
    flows: {
      authorizationCode: {
        authorizationUrl: `${env.AUTH_URL}/authorize`,
        tokenUrl: `${env.AUTH_URL}/oauth/token`,
        refreshUrl: `${env.AUTH_URL}/oauth/token`,
        scopes: SCOPE_DESCRIPTIONS,
      },
    },
  },
  app: {
    type: "oauth2",
    description: `An app's own token, for public resources. ${HEADER_FORMS}`,
    flows: { clientCredentials: { tokenUrl: `${env.AUTH_URL}/oauth/token`, scopes: {} } },
  },
  client: {
    type: "http",
    scheme: "basic",
    description:
      "The app itself: `Authorization: Basic`, then base64 of `client_id:client_secret`, each form-encoded. Only the endpoints of the authorization server take it; all but `client_credentials` also take both in the form. Public apps have no secret, and send `client_id` alone in the form.",
  },
});

/** The header, or the same in the form. */
const CLIENT_SECURITY: Record<string, string[]>[] = [{ client: [] }, {}];

/** An app's own token has no scope. */
export function securityOf(contract: AnyContract): Record<string, string[]>[] {
  if (contract.clientAuth) return CLIENT_SECURITY;
  const scope = scopeOf(contract);
  if (!scope) return [];
  return contract.auth === "user" ? [{ user: [scope] }] : [{ user: [scope] }, { app: [] }];
}

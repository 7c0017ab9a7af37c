import type { ZodOpenApiSecuritySchemeObject } from "zod-openapi";
import type { Env } from "../env.ts";
import type { Auth } from "../route.ts";

const HEADER_FORMS =
  "Send `Authorization: OAuth <ACCESS_TOKEN>`, or `Authorization: Bearer <ACCESS_TOKEN>`; both mean the same.";

/** A user's token comes from the first flow, an app's own token from the second. */
export const securitySchemes = (
  env: Pick<Env, "AUTH_URL">,
): Record<"user" | "app" | "client", ZodOpenApiSecuritySchemeObject> => ({
  user: {
    type: "oauth2",
    description: `A token that a user delegated to an app. PKCE with S256 is required: see \`/authorize\`. ${HEADER_FORMS}`,
    flows: {
      authorizationCode: {
        authorizationUrl: `${env.AUTH_URL}/authorize`,
        tokenUrl: `${env.AUTH_URL}/oauth/token`,
        refreshUrl: `${env.AUTH_URL}/oauth/token`,
        scopes: {},
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
      "The app itself: `Authorization: Basic`, then base64 of `client_id:client_secret`, each form-encoded. Only the endpoints of the authorization server take it; all but `client_credentials` also take both in the form.",
  },
});

export const SECURITY: Record<Auth, Record<string, string[]>[]> = {
  user: [{ user: [] }],
  token: [{ user: [] }, { app: [] }],
  app: [{ user: [] }, { app: [] }],
  anyone: [],
  page: [],
};

/** The header, or the same in the form. */
export const CLIENT_SECURITY: Record<string, string[]>[] = [{ client: [] }, {}];

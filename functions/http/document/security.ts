import type { ZodOpenApiSecuritySchemeObject } from "zod-openapi";
import type { Env } from "../env.ts";
import type { Auth } from "../route.ts";

/** A user's token comes from the first flow, an app's own token from the second. */
export const securitySchemes = (
  env: Pick<Env, "AUTH_URL">,
): Record<"user" | "app", ZodOpenApiSecuritySchemeObject> => ({
  user: {
    type: "oauth2",
    description: "A token that a user delegated to an app. PKCE is required.",
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
    description: "An app's own token, for public resources.",
    flows: { clientCredentials: { tokenUrl: `${env.AUTH_URL}/oauth/token`, scopes: {} } },
  },
});

export const SECURITY: Record<Auth, Record<string, string[]>[]> = {
  user: [{ user: [] }],
  token: [{ user: [] }, { app: [] }],
  app: [{ user: [] }, { app: [] }],
  anyone: [],
  page: [],
};

import { Hono } from "hono";
import { operation } from "../http/contract.ts";
import type { AppEnv, Env } from "../http/env.ts";
import { checkJwtKeys, publicKeys } from "./access-token.ts";

const CACHED = { "Cache-Control": "public, max-age=3600", "Access-Control-Allow-Origin": "*" };

/** RFC 8414. Older endpoints and grants stand in no metadata document. */
const serverMetadata = (env: Env) => ({
  issuer: env.AUTH_URL,
  authorization_endpoint: `${env.AUTH_URL}/authorize`,
  token_endpoint: `${env.AUTH_URL}/oauth/token`,
  revocation_endpoint: `${env.AUTH_URL}/oauth/revoke`,
  introspection_endpoint: `${env.AUTH_URL}/oauth/introspect`,
  jwks_uri: `${env.AUTH_URL}/.well-known/jwks.json`,
  service_documentation: `${env.API_URL}/docs`,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token", "client_credentials"],
  token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
  revocation_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
  introspection_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
});

/** RFC 9728, on the API's host. */
const resourceMetadata = (env: Env) => ({
  resource: env.API_URL,
  authorization_servers: [env.AUTH_URL],
  jwks_uri: `${env.AUTH_URL}/.well-known/jwks.json`,
  bearer_methods_supported: ["header"],
  resource_documentation: `${env.API_URL}/docs`,
});

export const authMetadata = new Hono<AppEnv>();

const described = (summary: string) => operation(summary, { 200: "application/json" }, { tags: ["oauth"] });

authMetadata.get(
  "/.well-known/oauth-authorization-server",
  described("The authorization server (RFC 8414)"),
  (c) => c.json(serverMetadata(c.env), 200, CACHED),
);
authMetadata.get(
  "/.well-known/jwks.json",
  described("Keys that access tokens are signed with"),
  async (c) => {
    await checkJwtKeys(c.env);
    return c.json({ keys: publicKeys(c.env) }, 200, CACHED);
  },
);

export const apiMetadata = new Hono<AppEnv>();

apiMetadata.get(
  "/.well-known/oauth-protected-resource",
  described("The API as a protected resource (RFC 9728)"),
  (c) => c.json(resourceMetadata(c.env), 200, CACHED),
);

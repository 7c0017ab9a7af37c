import { checkJwtKeys, publicKeys } from "../../lib/http/access-token.ts";
import type { Env } from "../../lib/http/env.ts";
import { Routes } from "../../lib/http/route.ts";
import { SCOPE_NAMES } from "../../lib/http/scopes.ts";

const CACHED = { "Cache-Control": "public, max-age=3600", "Access-Control-Allow-Origin": "*" };

/**
 * Many clients use the first. Only Basic serves every grant: the specification refuses `client_credentials` with
 * credentials in the body.
 */
const CONFIDENTIAL_METHODS = ["client_secret_basic", "client_secret_post"];

/** Public clients send their id alone. */
const CLIENT_AUTH_METHODS = [...CONFIDENTIAL_METHODS, "none"];

/** RFC 8414. Older endpoints and grants are left out. */
const serverMetadata = (env: Env) => ({
  issuer: env.AUTH_URL,
  authorization_endpoint: `${env.AUTH_URL}/authorize`,
  token_endpoint: `${env.AUTH_URL}/oauth/token`,
  revocation_endpoint: `${env.AUTH_URL}/oauth/revoke`,
  introspection_endpoint: `${env.AUTH_URL}/oauth/introspect`,
  jwks_uri: `${env.AUTH_URL}/.well-known/jwks.json`,
  userinfo_endpoint: `${env.API_URL}/me/userinfo`,
  service_documentation: `${env.API_URL}/docs`,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  scopes_supported: SCOPE_NAMES,
  grant_types_supported: ["authorization_code", "refresh_token", "client_credentials"],
  token_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
  revocation_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
  introspection_endpoint_auth_methods_supported: CONFIDENTIAL_METHODS,
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
});

/** RFC 9728, on the API's host. */
const resourceMetadata = (env: Env) => ({
  resource: env.API_URL,
  authorization_servers: [env.AUTH_URL],
  jwks_uri: `${env.AUTH_URL}/.well-known/jwks.json`,
  scopes_supported: SCOPE_NAMES,
  bearer_methods_supported: ["header"],
  resource_documentation: `${env.API_URL}/docs`,
});

const JSON_DOCUMENT = { tag: "oauth", auth: "page", replies: { 200: "application/json" } } as const;

export const authMetadata = new Routes();

authMetadata.get(
  "/.well-known/oauth-authorization-server",
  {
    operationId: "getAuthorizationServer",
    summary: "Get the authorization server's metadata (RFC 8414)",
    description: "Names endpoints and supported grants, for clients that discover them.",
    ...JSON_DOCUMENT,
  },
  (c) => c.json(serverMetadata(c.env), 200, CACHED),
);

authMetadata.get(
  "/.well-known/openid-configuration",
  {
    operationId: "getOpenIdConfiguration",
    summary: "Get the authorization server's metadata where clients of OpenID Connect look",
    description:
      "The same document. It promises no id tokens, because there are none, but claims about the user at `userinfo_endpoint`.",
    ...JSON_DOCUMENT,
  },
  (c) => c.json(serverMetadata(c.env), 200, CACHED),
);

authMetadata.get(
  "/.well-known/jwks.json",
  {
    operationId: "getKeys",
    summary: "Get the public keys of access tokens",
    description: "JSON Web Key Set for verifying access tokens. Keys rotate: ask again for an unknown `kid`.",
    ...JSON_DOCUMENT,
  },
  async (c) => {
    await checkJwtKeys(c.env);
    return c.json({ keys: publicKeys(c.env) }, 200, CACHED);
  },
);

export const apiMetadata = new Routes();

apiMetadata.get(
  "/.well-known/oauth-protected-resource",
  {
    operationId: "getProtectedResource",
    summary: "Get the API's metadata as a protected resource (RFC 9728)",
    description: "Names the authorization server, for clients that discover it.",
    ...JSON_DOCUMENT,
  },
  (c) => c.json(resourceMetadata(c.env), 200, CACHED),
);

import * as oauth from "oauth4webapi";
import type { Env } from "../http/env.ts";
import { limitedFetch } from "../services/guarded-fetch.ts";
import { callbackUrl } from "./begin.ts";
import type { Service } from "./services.ts";

/** What lets us act for somebody at a service. */
export interface Tokens {
  access_token: string;
  refresh_token?: string;
  /** Milliseconds since 1970. */
  expires_at?: number;
}

/** The code of an answer against tokens; throws where the answer is a refusal. */
export async function redeem(
  env: Env,
  service: Service,
  verifier: string,
  answer: URLSearchParams,
): Promise<Tokens> {
  const { server, client, authentication } = registrationAt(service);
  // The state was looked up by its hash: there is none to compare with.
  const granted = oauth.validateAuthResponse(server, client, answer, oauth.skipStateCheck);
  const reply = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    granted,
    callbackUrl(env),
    verifier,
    requestTo(service.token_endpoint),
  );
  return tokensOf(await oauth.processAuthorizationCodeResponse(server, client, reply));
}

/** Where the service gives no new refresh token, the old one stays good. */
export async function refresh(service: Service, refreshToken: string): Promise<Tokens> {
  const { server, client, authentication } = registrationAt(service);
  const request = requestTo(service.token_endpoint);
  const reply = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, request);
  const tokens = tokensOf(await oauth.processRefreshTokenResponse(server, client, reply));
  return { ...tokens, refresh_token: tokens.refresh_token ?? refreshToken };
}

function registrationAt(service: Service) {
  const { authorization_endpoint, token_endpoint, client_id, client_secret } = service;
  return {
    server: {
      issuer: service.issuer ?? new URL(authorization_endpoint).origin,
      authorization_endpoint,
      token_endpoint,
    },
    client: { client_id },
    authentication:
      service.token_endpoint_auth_method === "client_secret_post"
        ? oauth.ClientSecretPost(client_secret)
        : oauth.ClientSecretBasic(client_secret),
  };
}

const tokensOf = ({ access_token, refresh_token, expires_in }: oauth.TokenEndpointResponse): Tokens => ({
  access_token,
  refresh_token,
  expires_at: expires_in === undefined ? undefined : Date.now() + expires_in * 1000,
});

/** Asks an endpoint by somebody's token. */
export const ask = (
  method: "GET" | "POST",
  endpoint: string,
  accessToken: string,
  headers: Record<string, string>,
  body?: string,
): Promise<Response> =>
  oauth.protectedResourceRequest(
    accessToken,
    method,
    new URL(endpoint),
    new Headers({ Accept: "application/json", ...headers }),
    body,
    requestTo(endpoint),
  );

/** Without TLS on this machine alone, as the settings were checked. */
const requestTo = (endpoint: string) => ({
  [oauth.customFetch]: limitedFetch,
  [oauth.allowInsecureRequests]: endpoint.startsWith("http:"),
});

import * as oauth from "oauth4webapi";
import type { Env } from "../../lib/http/env.ts";
import { limitedFetch } from "../../lib/services/guarded-fetch.ts";
import { callbackUrl } from "./begin.ts";
import type { Service } from "./services.ts";

/** Tokens by which Soundpost acts for a user at a service. */
export interface Tokens {
  access_token: string;
  refresh_token?: string;
  /** Milliseconds since 1970. */
  expires_at?: number;
}

/** Exchanges the code in the answer for tokens. Throws if the answer is a refusal. */
export async function redeem(
  env: Env,
  service: Service,
  verifier: string,
  answer: URLSearchParams,
): Promise<Tokens> {
  const { server, client, authentication } = registrationAt(service);
  // The attempt was found by the hash of `state`, so comparing it again would add nothing.
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

/** Keeps the old refresh token if the service returns no new one. */
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

/** Calls an endpoint with a user's token. */
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

/** Allows plain http for this machine only; the settings were validated for that. */
const requestTo = (endpoint: string) => ({
  [oauth.customFetch]: limitedFetch,
  [oauth.allowInsecureRequests]: endpoint.startsWith("http:"),
});

/** The service no longer accepts its tokens. */
export class Refused extends Error {
  override readonly name = "Refused";
}

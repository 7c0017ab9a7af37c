import * as oauth from "oauth4webapi";
import { bytea } from "../../db/queries/caller.ts";
import type { FoundProfile, TakenAttempt } from "../../db/queries/connections.ts";
import type { Env } from "../http/env.ts";
import { seal, unseal } from "../http/sealing.ts";
import { callbackUrl } from "./begin.ts";
import { limitedFetch } from "./limited-fetch.ts";
import { displayName, profilesIn } from "./profiles.ts";
import { type Service, serviceNamed } from "./services.ts";

/** The profiles that somebody allowed, each with what lets us act for it. Throws where they refused, or the service fails. */
export async function allowedProfiles(
  env: Env,
  attempt: TakenAttempt,
  answer: URLSearchParams,
): Promise<FoundProfile[]> {
  const service = serviceNamed(env, attempt.service);
  const verifier = unseal(env, Buffer.from(attempt.verifier_sealed, "base64"));
  if (!service || verifier === undefined) throw new Error("the service or the key is not there any more");
  const tokens = await redeem(env, service, verifier, answer);
  const found = await Promise.all(
    service.profiles.map(async (source) => {
      const profiles = await readProfiles(source.endpoint, tokens.access_token);
      return profiles.map(({ access_token = tokens.access_token, ...profile }) => ({
        service: source.service ?? attempt.service,
        external_id: profile.id,
        display_name: displayName(profile),
        tokens_sealed: bytea(seal(env, JSON.stringify({ ...tokens, access_token }))),
      }));
    }),
  );
  const once = new Map(found.flat().map((profile) => [`${profile.service} ${profile.external_id}`, profile]));
  if (!once.size) throw new Error("the service showed no profile");
  return [...once.values()];
}

interface Tokens {
  access_token: string;
  refresh_token?: string;
  /** Milliseconds since 1970. */
  expires_at?: number;
}

async function redeem(
  env: Env,
  service: Service,
  verifier: string,
  answer: URLSearchParams,
): Promise<Tokens> {
  const { authorization_endpoint, token_endpoint, client_id, client_secret } = service;
  const server = {
    issuer: service.issuer ?? new URL(authorization_endpoint).origin,
    authorization_endpoint,
    token_endpoint,
  };
  const client = { client_id };
  const authentication =
    service.token_endpoint_auth_method === "client_secret_post"
      ? oauth.ClientSecretPost(client_secret)
      : oauth.ClientSecretBasic(client_secret);
  // The state was looked up by its hash: there is none to compare with.
  const granted = oauth.validateAuthResponse(server, client, answer, oauth.skipStateCheck);
  const reply = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    granted,
    callbackUrl(env),
    verifier,
    requestTo(token_endpoint),
  );
  const { access_token, refresh_token, expires_in } = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    reply,
  );
  const expires_at = expires_in === undefined ? undefined : Date.now() + expires_in * 1000;
  return { access_token, refresh_token, expires_at };
}

async function readProfiles(endpoint: string, accessToken: string) {
  const reply = await oauth.protectedResourceRequest(
    accessToken,
    "GET",
    new URL(endpoint),
    new Headers({ Accept: "application/json" }),
    undefined,
    requestTo(endpoint),
  );
  if (reply.status !== 200) throw new Error("the profiles were not shown");
  return profilesIn(await reply.json());
}

/** Without TLS on this machine alone, as the settings were checked. */
const requestTo = (endpoint: string) => ({
  [oauth.customFetch]: limitedFetch,
  [oauth.allowInsecureRequests]: endpoint.startsWith("http:"),
});

import type { FoundProfile, TakenAttempt } from "../../../db/queries/connections.ts";
import type { Env } from "../../lib/http/env.ts";
import { unsealBase64 } from "../../lib/security/sealing.ts";
import { ask, redeem, type Tokens } from "./client.ts";
import { displayName, type Profile, profilesIn } from "./profiles.ts";
import { serviceNamed } from "./services.ts";
import { sealTokens } from "./tokens.ts";

/** Returns the allowed profiles with their tokens. Throws if the user refused or the service failed. */
export async function allowedProfiles(
  env: Env,
  attempt: TakenAttempt,
  answer: URLSearchParams,
): Promise<FoundProfile[]> {
  const service = serviceNamed(env, attempt.service);
  const verifier = unsealBase64(env, attempt.verifier_sealed);
  if (!service || verifier === undefined) throw new Error("the service or the key no longer exists");
  const tokens = await redeem(env, service, verifier, answer);
  const found = await Promise.all(
    service.profiles.map(async (source) => {
      const profiles = await readProfiles(source.endpoint, tokens.access_token);
      return profiles.map((profile) => ({
        service: source.service ?? attempt.service,
        external_id: profile.id,
        display_name: displayName(profile),
        tokens_sealed: sealTokens(env, tokensFor(profile, tokens), attempt.service),
      }));
    }),
  );
  const once = new Map(found.flat().map((profile) => [`${profile.service} ${profile.external_id}`, profile]));
  if (!once.size) throw new Error("the service returned no profile");
  return [...once.values()];
}

async function readProfiles(endpoint: string, accessToken: string): Promise<Profile[]> {
  const reply = await ask("GET", endpoint, accessToken, {});
  if (reply.status !== 200) throw new Error("the service did not return the profiles");
  return profilesIn(await reply.json());
}

/** A page has its own token, which the user's refresh token does not renew. */
const tokensFor = ({ access_token }: Profile, tokens: Tokens): Tokens =>
  access_token === undefined ? tokens : { access_token };

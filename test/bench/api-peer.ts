import { publicKeys } from "../../functions/lib/http/access-token.ts";
import type { ApiPeerOptions, ApiPeerReady } from "./peer/api-options.ts";
import { spawnPeer } from "./peer/spawn.ts";
import type { BenchStack } from "./stack.ts";

/** Starts Fastify and `pg` on the stack's database. They accept the tokens that our Worker accepts. */
export function startApiPeer({ databaseUrl, urls, secrets }: BenchStack) {
  const { JWT_KEYS, SIGNING_KEYS, SEAL_KEYS } = secrets;
  const addresses = { API_URL: urls.api, AUTH_URL: urls.auth, WEB_URL: urls.web };
  return spawnPeer<ApiPeerReady>("api.ts", {
    databaseUrl,
    tokens: {
      keys: publicKeys({ JWT_KEYS, ...addresses }),
      issuer: addresses.AUTH_URL,
      audience: addresses.API_URL,
    },
    env: { ...addresses, URN_NAMESPACE: "soundcloud", SIGNING_KEYS, SEAL_KEYS },
  } satisfies ApiPeerOptions);
}

import type { Context } from "hono";
import * as oauth from "oauth4webapi";
import { bytea } from "../../../db/bytea.ts";
import { beginConnection } from "../../../db/queries/connections.ts";
import type { Env, UserEnv } from "../../lib/http/env.ts";
import { invalid } from "../../lib/http/errors.ts";
import { shownOnce } from "../../lib/http/idempotency.ts";
import { hashSecret } from "../../lib/security/random.ts";
import { seal } from "../../lib/security/sealing.ts";
import type { NewConnectionBody } from "./input.ts";
import { serviceNamed } from "./services.ts";

/** Seconds for the user to sign in at the other service and decide. */
const ATTEMPT_TTL_S = 600;

/** Limit for one session. A further attempt ends the oldest. */
const MAX_ATTEMPTS = 20;

/** Registered at each service. It lies on the sign-in host, whose cookie identifies the user. */
export const callbackUrl = ({ AUTH_URL }: Pick<Env, "AUTH_URL">): string =>
  `${AUTH_URL}/connections/callback`;

/** Returns the service's URL for the user. Its `state` is stored as a hash, for one use. */
export async function beginRoundTrip(
  c: Context<UserEnv>,
  { service: name, redirect_uri, ...posting }: NewConnectionBody,
): Promise<string> {
  const {
    env,
    var: { db, viewer },
  } = c;
  const service = serviceNamed(env, name) ?? invalid(`service: ${name} is not offered here`);
  const [state, verifier] = [oauth.generateRandomState(), oauth.generateRandomCodeVerifier()];
  const attempt = {
    state_hash: hashSecret(state),
    service: name,
    redirect_uri,
    verifier_sealed: bytea(seal(env, verifier)),
    ...posting,
  };
  const url = new URL(service.authorization_endpoint);
  const asked = {
    response_type: "code",
    client_id: service.client_id,
    redirect_uri: callbackUrl(env),
    ...(service.scope !== undefined && { scope: service.scope }),
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  };
  for (const [parameter, value] of Object.entries(asked)) url.searchParams.set(parameter, value);
  const shown = shownOnce(c, url.href);
  await beginConnection(db, viewer, attempt, { ttlS: ATTEMPT_TTL_S, limit: MAX_ATTEMPTS });
  return shown.text;
}

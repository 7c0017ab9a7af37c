import { createHash } from "node:crypto";
import type { HonoRequest } from "hono";
import type { AccessFacts } from "../../../db/queries/track-rows.ts";
import { countryOf } from "../../lib/http/country.ts";
import type { Env } from "../../lib/http/env.ts";
import { randomBase62 } from "../../lib/security/random.ts";
import { seal } from "../../lib/security/sealing.ts";

/** Characters after `s-`, more than 128 bits. */
const SECRET_LENGTH = 22;

/** Makes a secret token, and what the database stores of it: its hash, and the token sealed for its owner. */
export function newSecret(env: Pick<Env, "SEAL_KEYS">) {
  const token = `s-${randomBase62(SECRET_LENGTH)}`;
  return { token, stored: { secretHash: hashSecretToken(token), secretSealed: seal(env, token) } };
}

const hashSecretToken = (token: string): Uint8Array => createHash("sha256").update(token).digest();

/** Hash of the request's token, if any. */
export const secretHashOf = (token: string | undefined): Uint8Array | undefined =>
  token ? hashSecretToken(token) : undefined;

/** Facts of a request, besides its user, that may open a track. */
export const presentedBy = (request: HonoRequest, secretToken: string | undefined): AccessFacts => ({
  secretHash: secretHashOf(secretToken),
  country: countryOf(request),
});

/** The same where the country does not matter. */
export const withoutCountry = (secretToken: string | undefined): AccessFacts => ({
  secretHash: secretHashOf(secretToken),
  country: undefined,
});

/** The query with the token, if any. */
export const secretQuery = (secretToken: string | undefined): string =>
  secretToken ? `?${new URLSearchParams({ secret_token: secretToken })}` : "";

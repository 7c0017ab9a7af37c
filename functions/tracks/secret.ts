import { createHash } from "node:crypto";
import type { HonoRequest } from "hono";
import type { Presented } from "../../db/queries/tracks.ts";
import { countryOf } from "../http/country.ts";
import { randomBase62 } from "../security/random.ts";

/** Characters after `s-`: above 128 bits. */
const SECRET_LENGTH = 22;

export const newSecretToken = (): string => `s-${randomBase62(SECRET_LENGTH)}`;

export const hashSecretToken = (token: string): Uint8Array => createHash("sha256").update(token).digest();

/** Of the one that came with a request, if any. */
export const secretHashOf = (token: string | undefined): Uint8Array | undefined =>
  token ? hashSecretToken(token) : undefined;

/** What a request brings that may open a track besides its token's user. */
export function presentedBy(request: HonoRequest, secretToken: string | undefined): Presented {
  return { ...wherever(secretToken), country: countryOf(request) };
}

/**
 * The same where it does not matter from where a request comes: to tell, the runtime reads all that the platform knows of the
 * connection.
 */
export const wherever = (secretToken: string | undefined): Presented => ({
  secretHash: secretHashOf(secretToken),
  country: undefined,
});

import type { InvalidGrant } from "../../../db/queries/oauth.ts";
import type { ErrorType } from "../../lib/errors/error-types.ts";
import { OAuthError } from "./errors.ts";

type Why = InvalidGrant["why"];

const AGAIN = "send the user to /authorize again";

/** Text and type of each refusal. */
const REFUSALS: Record<Why, [string, ErrorType]> = {
  unknown_code: [`the code is not one of this app's, or was revoked; ${AGAIN}`, "invalid-grant"],
  used_code: [`the code was used before, and works once; ${AGAIN}`, "used-code"],
  void_code: [`the code is void after five wrong attempts; ${AGAIN}`, "wrong-code-verifier"],
  expired_code: [
    `the code has expired after a minute, or its user has signed out; ${AGAIN}, and exchange the code at once`,
    "expired-code",
  ],
  redirect_uri: [
    "redirect_uri is not the one that /authorize got; send the same text, letter by letter",
    "wrong-redirect-uri",
  ],
  no_verifier: [
    "code_verifier is missing; send the one whose S256 challenge went to /authorize (PKCE)",
    "missing-code-verifier",
  ],
  verifier: [
    "code_verifier does not match code_challenge; send the verifier itself, 43 to 128 characters, of this sign-in",
    "wrong-code-verifier",
  ],
  unknown_token: [`the refresh token is not one of this app's, or was revoked; ${AGAIN}`, "invalid-grant"],
  used_token: [
    "the refresh token was used before, and works once; send the one of the newest reply",
    "used-refresh-token",
  ],
  ended_session: [
    `the session of the refresh token was signed out or revoked; discard it, and ${AGAIN}`,
    "revoked-session",
  ],
  expired_token: [`the refresh token has expired; ${AGAIN}`, "expired-refresh-token"],
};

type Refused = Pick<InvalidGrant, "why">;

export function invalidGrant({ why }: Refused): OAuthError {
  const [description, type] = REFUSALS[why];
  return new OAuthError("invalid_grant", description, { type });
}

/** Older clients sign the user in again after a 401 only. */
export class RefreshRefused extends OAuthError {
  constructor({ why }: Refused) {
    const [description, type] = REFUSALS[why];
    super("invalid_grant", description, { type });
  }
}

export const unexpectedVerifier = (): OAuthError =>
  new OAuthError(
    "invalid_request",
    "no code_challenge was sent for this code; send one to /authorize, or leave code_verifier out",
    { type: "unexpected-code-verifier" },
  );

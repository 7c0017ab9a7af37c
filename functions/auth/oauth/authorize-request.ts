import type { ErrorType } from "../../lib/errors/error-types.ts";
import { badRequest } from "../../lib/http/errors.ts";
import { loopbackAdvice, withoutPort } from "../../lib/security/redirect-match.ts";
import { redirectUriProblem } from "../../lib/security/redirect-uri.ts";
import type { AuthorizeRequest, ResponseType, Rules } from "./authorize-rules.ts";
import { RefusedRequest } from "./redirect-reply.ts";

/** Characters, and bytes within a URL: browsers and edges accept 16 KiB. */
const MAX_STATE = 4_000;
const MAX_STATE_BYTES = 12_000;

/** RFC 7636 §4.2: an S256 challenge always has this length. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

const KNOWN = [
  "client_id",
  "redirect_uri",
  "response_type",
  "code_challenge",
  "code_challenge_method",
  "state",
  "scope",
  "display",
];

/** An empty parameter counts as missing, and a repeated one is refused: RFC 6749 §3.1. */
function single(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  return values.length === 1 && values[0] !== "" ? values[0] : undefined;
}

/** Checks the client first. Nothing is redirected before client and redirect URI are valid. */
export function clientIdOf(query: URLSearchParams): string {
  const id = single(query, "client_id");
  if (id === undefined) return badRequest("client_id is missing, or was sent more than once");
  return /^[\x20-\x7e]{1,200}$/.test(id) ? id : unknownClient();
}

export const unknownClient = (): never =>
  badRequest("client_id: there is no such app, or it is disabled", "unknown-app");

/** RFC 6749 §3.1.2.3, compared byte for byte except for a loopback address's port. */
export function redirectUriOf(query: URLSearchParams, registered: string[]): string {
  const asked = single(query, "redirect_uri");
  if (asked === undefined) return badRequest("redirect_uri is missing, or was sent more than once");
  const shown = asked.slice(0, 300);
  if (!registered.some((uri) => withoutPort(uri) === withoutPort(asked)))
    return badRequest(
      `redirect_uri: ${shown} is not registered for this app${loopbackAdvice(asked, registered)}`,
      "redirect-uri-not-registered",
    );
  const problem = redirectUriProblem(asked);
  return problem ? badRequest(`redirect_uri: ${shown} ${problem}`) : asked;
}

/** Checks the rest in order. Failures show a page with a link that reports the error to the app. */
export function checkRequest(
  query: URLSearchParams,
  client: Pick<AuthorizeRequest, "clientId" | "redirectUri">,
  rules: Rules,
): AuthorizeRequest {
  const state = stateOf(query);
  const wanted = single(query, "response_type");
  const responseType = wanted && Object.hasOwn(rules.responseTypes, wanted) && rules.responseTypes[wanted];
  const answer = { redirectUri: client.redirectUri, state, rules, responseType: responseType || "code" };
  const refuse: Refuse = (code, description, type) => {
    throw new RefusedRequest(answer, code, description, type);
  };
  refuseRepeated(query, refuse);
  if (wanted === undefined) return refuse("invalid_request", "response_type is missing");
  if (!responseType) {
    const known = Object.keys(rules.responseTypes).join(", ");
    return refuse(
      "unsupported_response_type",
      `response_type must be one of: ${known}; a token comes from /oauth/token`,
    );
  }
  refuseTokenForNativeApp(responseType, client.redirectUri, refuse);
  const codeChallenge = challengeOf(query, rules, refuse);
  const scope = scopeOf(query, rules, refuse);
  return { ...client, responseType, codeChallenge, state, scope, rules };
}

type Refuse = (code: string, description: string, type?: ErrorType) => never;

/** Not reported to the app: a bad state could not be returned unchanged. */
function stateOf(query: URLSearchParams): string | undefined {
  const state = single(query, "state");
  if (state !== undefined && state.length > MAX_STATE) badRequest(`state: at most ${MAX_STATE} characters`);
  if (state?.includes("\ufffd")) badRequest("state: is not valid UTF-8");
  if (state !== undefined && encodeURIComponent(state).length > MAX_STATE_BYTES)
    badRequest(`state: at most ${MAX_STATE_BYTES} bytes, encoded as in an address`);
  return state;
}

function refuseRepeated(query: URLSearchParams, refuse: Refuse): void {
  const repeated = KNOWN.find((name) => query.getAll(name).length > 1);
  if (repeated) refuse("invalid_request", `${repeated} was sent more than once`);
}

/** Any program can claim a custom scheme, and would receive the token itself. */
function refuseTokenForNativeApp(responseType: ResponseType, redirectUri: string, refuse: Refuse): void {
  if (responseType !== "code" && !/^https?:/i.test(redirectUri))
    refuse("unsupported_response_type", "a token is never sent to a custom scheme; use code");
}

const CHALLENGE_NEEDED = "missing-code-challenge";

function challengeOf(query: URLSearchParams, rules: Rules, refuse: Refuse): string | null {
  const challenge = single(query, "code_challenge");
  const method = single(query, "code_challenge_method");
  if (challenge === undefined && method === undefined && !rules.pkceRequired) return null;
  if (challenge === undefined)
    return refuse(
      "invalid_request",
      "code_challenge is missing: PKCE with S256 is required; send the base64url of the SHA-256 of a random code_verifier",
      CHALLENGE_NEEDED,
    );
  if (method !== "S256")
    return refuse(
      "invalid_request",
      "code_challenge_method must be S256, and code_challenge the hash, not the verifier",
      CHALLENGE_NEEDED,
    );
  if (!CHALLENGE.test(challenge))
    return refuse(
      "invalid_request",
      "code_challenge must be 43 characters of base64url, without padding",
      CHALLENGE_NEEDED,
    );
  return challenge;
}

function scopeOf(query: URLSearchParams, rules: Rules, refuse: Refuse): string {
  const scope = rules.parseScope(single(query, "scope") ?? "");
  return scope ?? refuse("invalid_scope", "there is no such scope");
}

/** A small window for pop-ups and phones. Other values are ignored. */
export const isPopup = (query: URLSearchParams): boolean => single(query, "display") === "popup";

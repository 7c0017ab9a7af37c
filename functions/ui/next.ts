import type { Env } from "../lib/http/env.ts";
import { formActionFor } from "../lib/security/redirect-match.ts";
import { redirectUriProblem } from "../lib/security/redirect-uri.ts";

/** Default destination. */
export const DEFAULT_NEXT = "/settings";

/** Characters. An app's request with a long `state` must come back unchanged. */
const MAX_LENGTH = 32_000;

/** Base for parsing. Our own paths keep this origin; anything else changes it. */
const NOWHERE = "http://nowhere.invalid";

/**
 * Returns a path on this host, or the default. Browsers read `//host`, `/\host` and embedded tabs or line
 * ends as another host. A path that a parser reads differently is refused.
 */
export function ownPath(next: string | undefined, otherwise = DEFAULT_NEXT): string {
  if (next === undefined || next.length > MAX_LENGTH || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(next))
    return otherwise;
  const parsed = URL.canParse(next, NOWHERE) ? new URL(next, NOWHERE) : undefined;
  const ours = parsed?.origin === NOWHERE && !parsed.pathname.startsWith("//");
  return ours ? next : otherwise;
}

/** Bytes. Browsers, edges and servers accept URLs of at least 8 KiB. */
const MAX_ENCODED = 8_000;

/**
 * Makes the query that leads back to `next`. A long `next` stays unencoded: encoding an app's long `state` twice would
 * exceed the limit for headers.
 */
function nextQuery(next: string): string {
  const encoded = `${new URLSearchParams({ next })}`;
  return encoded.length <= MAX_ENCODED || next.includes("#") ? encoded : `next=${next}`;
}

export const signInPath = (next: string): string => `/signin?${nextQuery(next)}`;
/** Opens the site's own session for the sign-in, then the site's path `next`. */
export const siteEntry = ({ WEB_URL }: Pick<Env, "WEB_URL">, next: string): string =>
  `${WEB_URL}/session/new?${new URLSearchParams({ next })}`;

export const signUpPath = (next: string): string => `/signup?${nextQuery(next)}`;

/** Reads the destination from the query, encoded or raw. */
export function askedNext(url: string): string | undefined {
  const [, asItIs] = /\?next=(\/.*)$/.exec(url) ?? [];
  return asItIs ?? new URL(url).searchParams.get("next") ?? undefined;
}

/**
 * Returns the `form-action` source for a form that leads to `next`. Browsers check every redirect after a POST against
 * the policy. An app without consent, or the site, is the next redirect.
 */
export function formActionTo({ WEB_URL }: Pick<Env, "WEB_URL">, next: string): string {
  const { pathname, searchParams } = new URL(next, NOWHERE);
  if (pathname === "/session/code") return `'self' ${new URL(WEB_URL).origin}`;
  const redirectUri = searchParams.get("redirect_uri");
  const leadsOn = redirectUri !== null && redirectUriProblem(redirectUri) === undefined;
  return leadsOn ? `'self' ${formActionFor(redirectUri)}` : "'self'";
}

/** Whether a form that leads to `next` ends on one of our own hosts, not at an app. */
export const leadsHome = (next: string): boolean =>
  /^\/(?:session\/code|settings|you\/apps)(?:[?#]|$)/.test(next);

import { formActionFor } from "../security/redirect-match.ts";
import { redirectUriProblem } from "../security/redirect-uri.ts";

/** Where a browser goes when nothing better is known. */
export const DEFAULT_NEXT = "/settings";

/** Characters. An app's request with a long `state` must come back whole. */
const MAX_LENGTH = 32_000;

/** Any address of ours begins by it once parsed; what leads elsewhere does not. */
const NOWHERE = "http://nowhere.invalid";

/**
 * A path of our own, or the default. Browsers read `//host`, `/\host` and tabs or line ends between them as another
 * host, so whatever a parser reads differently from how it is written is refused.
 */
export function ownPath(next: string | undefined): string {
  if (next === undefined || next.length > MAX_LENGTH || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(next))
    return DEFAULT_NEXT;
  const parsed = URL.canParse(next, NOWHERE) ? new URL(next, NOWHERE) : undefined;
  const ours = parsed?.origin === NOWHERE && !parsed.pathname.startsWith("//");
  return ours ? next : DEFAULT_NEXT;
}

/** Bytes. Browsers, edges and servers take addresses of 8 KiB at least. */
const MAX_ENCODED = 8_000;

/**
 * The query that leads back to `next`, a path of ours with its own. A long one stands there as it is: encoded once more, an
 * app's request with a long `state` would outgrow what a request's headers may hold.
 */
function nextQuery(next: string): string {
  const encoded = `${new URLSearchParams({ next })}`;
  return encoded.length <= MAX_ENCODED || next.includes("#") ? encoded : `next=${next}`;
}

export const signInPath = (next: string): string => `/signin?${nextQuery(next)}`;
export const signUpPath = (next: string): string => `/signup?${nextQuery(next)}`;

/** What a page was asked to lead on to, encoded or as it is. */
export function askedNext(url: string): string | undefined {
  const [, asItIs] = /\?next=(\/.*)$/.exec(url) ?? [];
  return asItIs ?? new URL(url).searchParams.get("next") ?? undefined;
}

/**
 * Where a form that leads to `next` may end up: browsers hold every redirect after a POST against the policy of the page,
 * and of an app that needs no consent the next one leads to the app.
 */
export function formActionTo(next: string): string {
  const redirectUri = new URL(next, NOWHERE).searchParams.get("redirect_uri");
  const leadsOn = redirectUri !== null && redirectUriProblem(redirectUri) === undefined;
  return leadsOn ? `'self' ${formActionFor(redirectUri)}` : "'self'";
}

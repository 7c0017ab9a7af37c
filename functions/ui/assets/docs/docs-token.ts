/**
 * The reader's token for the docs. It comes from {auth_url} in the address's fragment, which no server sees, and stays in
 * this tab.
 */

const KEY = "docs-token";
/** Random text of this browser's, which comes back with a token that the docs asked for. RFC 6749 §10.12 */
const STATE = "docs-token-state";

/** A browser may close its storage to a page: then it throws, or is not there. */
function opened(name: "sessionStorage" | "localStorage"): Storage | undefined {
  try {
    return window[name] ?? undefined;
  } catch {
    return undefined;
  }
}
const ofTab = opened("sessionStorage");
const ofBrowser = opened("localStorage");

takeToken();

function takeToken(): void {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const token = fragment.get("access_token");
  if (token === null) return;
  const state = ofBrowser?.getItem(STATE) ?? null;
  // Somebody's link could bring their own token, and what the reader sends would be done in their account.
  if (state !== null && fragment.get("state") === state) ofTab?.setItem(KEY, token);
  const at = fragment.get("at");
  // The token leaves the address before anything can copy it from there.
  history.replaceState(null, "", at ? `#${at}` : location.pathname);
  if (at) document.getElementById(at)?.scrollIntoView();
}

export const currentToken = (): string | undefined => ofTab?.getItem(KEY) ?? undefined;

/** It has ended. */
export const forgetToken = (): void => ofTab?.removeItem(KEY);

/** Whether the browser lets this site keep a token. */
export const keepsToken = (): boolean => ofTab !== undefined && ofBrowser !== undefined;

/** The address that issues a token and returns to the element with an id on this page. */
export function tokenAddress(at: string): string {
  const page = document.querySelector<HTMLAnchorElement>(".docs-own a")?.dataset.tokenPage ?? "";
  const state = ofBrowser?.getItem(STATE) ?? crypto.randomUUID();
  ofBrowser?.setItem(STATE, state);
  const next = `${location.pathname}#${new URLSearchParams({ at, state })}`;
  return `${page}?${new URLSearchParams({ next })}`;
}

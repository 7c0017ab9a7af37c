import { find, findIfAny } from "./elements.ts";

/**
 * A document belongs to the reader for whom it was loaded: its queue, its uploads and its forms do. Somebody else may
 * sign in in another tab.
 */

export const readerIn = (page: ParentNode) => findIfAny(page, BAR, HTMLElement)?.dataset.reader;

const BAR = "#player-bar";

/** Undefined for a visitor. */
export let reader = readerIn(document);

const KEY = "reader";

const CHANGED =
  "Somebody else is signed in in this browser now. Copy what you have typed, and reload the page before you go on.";
const ENDED = "You have signed out in another tab. Sign in again before you send anything.";

/** Signing in and out load a page anew, so the last one that was loaded tells who is signed in. */
function look(): void {
  const now = stored();
  const isOther = reader !== undefined && now !== undefined && now !== reader;
  const text = isOther ? (now === "" ? ENDED : CHANGED) : "";
  const place = document.querySelector(".changed-reader");
  if (place && place.textContent !== text) place.textContent = text;
}

function stored(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Pages of accounts and docs do not know. */
const isKnown = document.documentElement.dataset.guest === undefined;

function tellOthers(): void {
  if (!isKnown) return;
  try {
    localStorage.setItem(KEY, reader ?? "");
    // Words typed beside uploads are for their reader alone.
    if (!reader)
      for (const name of Object.keys(localStorage)) if (/^upload /.test(name)) localStorage.removeItem(name);
  } catch {
    // Forbidden: the first form that is sent will tell.
  }
}

tellOthers();

window.addEventListener("storage", ({ key }) => key === KEY && look());
/** A page that Back shows as it was left may have missed it. */
window.addEventListener("pageshow", ({ persisted }) => persisted && look());

/** The address of the page that comes; `undefined` if it is the reply to a refused form. */
let visited: string | undefined;
document.addEventListener("turbo:visit", ({ detail }) => {
  visited = detail.url;
});
document.addEventListener("turbo:submit-start", () => {
  visited = undefined;
});
/**
 * Another reader's page gets a document of its own. A refusal does not: it shows what was typed. A visitor who has signed
 * in goes on in theirs, and their music with them.
 */
document.addEventListener("turbo:before-render", (event) => {
  const next = readerIn(event.detail.newBody);
  if (visited === undefined || next === undefined || next === reader) return;
  if (reader === undefined) return become(next);
  event.preventDefault();
  if (location.href === visited) location.reload();
  else location.assign(visited);
});

/** The bar outlives each page, so it is told. Copies of pages from before show a visitor. */
function become(signedIn: string): void {
  reader = signedIn;
  find(document, BAR, HTMLElement).dataset.reader = signedIn;
  window.Turbo?.cache.clear();
  tellOthers();
}

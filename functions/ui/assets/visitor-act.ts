import * as Turbo from "@hotwired/turbo";
import { closest, find, findIfAny } from "./elements.ts";
import { reader } from "./own-reader.ts";
import { loadLaterStyles } from "./player/later-styles.ts";
import { player } from "./player/player.ts";
import { say } from "./player/player-said.ts";
import { KEPT_PRESS, SIGNED_IN, type SignedIn } from "./signed-in.ts";
import { readTabJson, writeTab } from "./tab-store.ts";

/**
 * Keeps what a visitor pressed until they have signed in, and then presses it again. Only a press in this tab is ever
 * kept, so that no other page can make somebody who signs in like or write anything.
 */

/** Milliseconds to sign in, or to sign up. */
const KEPT_FOR_MS = 3_600_000;

interface Kept {
  /** The `data-act` that the signed-in reader's button has. */
  act: string | undefined;
  /** The typed words, by the ids of their fields. */
  typed: { id: string; value: string }[];
  /** The page's path and query. */
  page: string;
  /** Pixels. */
  scroll: number;
  atMs: number;
  /** Names the press. */
  words: string;
}

const ON = '[aria-pressed="true"]';
const WANTS = "a[data-wants], button[data-wants]";

let pressed: Kept | undefined;
/** Whether a window of this tab's is open for the sign-in. */
let isWaiting = false;

const pageNow = () => location.pathname + location.search;

const dialogIfAny = () => findIfAny(document, "dialog.visitor-act", HTMLDialogElement);

/** Asks a visitor to sign in. Returns whether it did. */
function askFor(wanted: HTMLElement, typed: Kept["typed"] = []): boolean {
  const dialog = dialogIfAny();
  if (!dialog || reader !== undefined) return false;
  const words = wanted.getAttribute("aria-label") ?? wanted.dataset.words ?? wanted.textContent.trim();
  pressed = { act: wanted.dataset.wants, typed, page: pageNow(), scroll: scrollY, atMs: Date.now(), words };
  find(dialog, "h2", HTMLElement).textContent = words;
  sayWaiting("");
  loadLaterStyles().then(() => dialog.showModal());
  return true;
}

function sayWaiting(text: string): void {
  const dialog = dialogIfAny();
  if (dialog) find(dialog, ".visitor-act-waiting", HTMLElement).textContent = text;
}

/** In the capturing phase, before Turbo follows the link or sends the form. */
window.addEventListener(
  "click",
  (event) => {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const wanted = closest(event.target, WANTS, HTMLElement);
    if (wanted && askFor(wanted)) return event.preventDefault();
    const link = closest(event.target, "a[href]", HTMLAnchorElement);
    if (link && reader === undefined && isSignIn(link)) followSignIn(event, link);
  },
  true,
);

window.addEventListener(
  "submit",
  (event) => {
    const form = closest(event.target, "form[data-wants]", HTMLFormElement);
    if (!form) return;
    const fields = [...form.elements].filter(
      (one) => one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement,
    );
    const typed = fields.flatMap(({ id, type, value }) => (id && type !== "hidden" ? [{ id, value }] : []));
    if (!askFor(form, typed)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);

const isSignIn = ({ pathname }: HTMLAnchorElement) => pathname === "/session/new";

/**
 * Signs in in a window of its own while music plays, because another host's page would end it. Without such a window
 * the page itself goes there and comes back.
 */
function followSignIn(event: Event, link: HTMLAnchorElement): void {
  const isAsked = dialogIfAny()?.contains(link);
  if (!isAsked) pressed = undefined;
  writeTab(KEPT_PRESS, pressed && JSON.stringify(pressed));
  if (!player.isPlaying) return;
  const address = new URL(link.href);
  address.searchParams.set("next", "/session/in");
  if (!window.open(address, "sign-in", "popup,width=480,height=720")) return;
  isWaiting = true;
  event.preventDefault();
  sayWaiting("The sign-in is open in a window of its own.");
}

/** Returns what was kept, once. */
function take(): Kept | undefined {
  const press = readTabJson<Kept>(KEPT_PRESS);
  writeTab(KEPT_PRESS);
  return press && Date.now() - press.atMs < KEPT_FOR_MS ? press : undefined;
}

/** A new member's page says so in its address. */
const withoutNotice = (page: string) => page.replace(/[?&]notice=welcome$/, "");

/** A visitor who is back without having signed in has changed their mind. */
document.addEventListener("turbo:load", () => {
  const press = take();
  if (!press || reader === undefined || withoutNotice(pageNow()) !== press.page) return;
  scrollTo({ top: press.scroll, behavior: "instant" });
  if (!repeat(press)) say(`You are signed in. Try again: ${press.words}.`);
});
window.addEventListener("pageshow", ({ persisted }) => persisted && take());

/** Presses what the visitor pressed. Returns whether it was there. */
function repeat({ act, typed }: Kept): boolean {
  const [first] = typed;
  if (first) return send(typed, findIfAny(document, `#${CSS.escape(first.id)}`, HTMLElement));
  const wanted = findIfAny(
    document,
    `:is(main, #player-bar) [data-act="${CSS.escape(act ?? "")}"]`,
    HTMLElement,
  );
  if (!wanted) return false;
  // It is on already: they did the same before, and another press would undo it.
  if (wanted.matches(ON) || wanted.querySelector(ON)) return true;
  // A new member's page goes on saying that they are one.
  const next = findIfAny(wanted, "[name=next]", HTMLInputElement);
  if (next) next.value = pageNow();
  if (wanted instanceof HTMLFormElement) wanted.requestSubmit();
  else wanted.click();
  return true;
}

function send(typed: Kept["typed"], first: HTMLElement | undefined): boolean {
  const form = closest(first, "form", HTMLFormElement);
  if (!form) return false;
  for (const { id, value } of typed) {
    const field = document.getElementById(id);
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.value = value;
  }
  form.requestSubmit();
  return true;
}

/** The copy of a page that Back shows has it closed. */
document.addEventListener("turbo:before-cache", () => dialogIfAny()?.close());

/** The window of the sign-in has ended. This page becomes its reader's, while the music plays on. */
new BroadcastChannel(SIGNED_IN).addEventListener("message", ({ data }: MessageEvent<SignedIn>) => {
  if (reader !== undefined || !isWaiting) return;
  isWaiting = false;
  dialogIfAny()?.close();
  const address = new URL(location.href);
  if (data.isNew) address.searchParams.set("notice", "welcome");
  Turbo.visit(address.href, { action: "replace" });
});

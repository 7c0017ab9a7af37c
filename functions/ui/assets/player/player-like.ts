import { findAll, findIfAny } from "../elements.ts";
import { reader } from "../own-reader.ts";
import { player } from "./player.ts";
import type { Entry } from "./player-queue.ts";
import { say } from "./player-said.ts";

/** The hearts of the bar and of the full player like the track that plays. */

/** Whether the reader likes tracks, by id, as told by a page or changed on it: newer than what the sources said. */
const liked = new Map<number, boolean>();

const isLiked = ({ id, liked: said }: Entry) => liked.get(id) ?? said ?? false;

const formOf = (id: number) => findIfAny(document, `form[data-act="like-track/${id}"]`, HTMLFormElement);

/** A heart of the page itself, such as a row's. */
function pageLikes(id: number): boolean | undefined {
  const form = formOf(id);
  return form ? !new URL(form.action).pathname.startsWith("/you/acts/like-") : undefined;
}

/** Shows a like on the page's own hearts, without loading the page anew. */
function showOnPage(id: number, is: boolean): void {
  for (const form of findAll(document, `form[data-act="like-track/${id}"]`, HTMLFormElement)) {
    form.action = `/you/acts/${is ? "unlike" : "like"}-track/${id}`;
    const button = findIfAny(form, "button", HTMLElement);
    button?.setAttribute("aria-pressed", String(is));
    const label = button?.getAttribute("aria-label");
    if (label) button?.setAttribute("aria-label", label.replace(/^(?:Liked|Like)\b/, is ? "Liked" : "Like"));
    const words = findIfAny(form, ".icon-words .sr-only", HTMLElement);
    if (words) words.textContent = is ? "Liked" : "Like";
    const count = findIfAny(form, ".icon-words .sr-only + span", HTMLElement);
    if (count && /^\s*\d+\s*$/.test(count.textContent))
      count.textContent = ` ${Number(count.textContent) + (is ? 1 : -1)}`;
  }
}

async function send(token: string, id: number, is: boolean, secret = ""): Promise<boolean> {
  const body = new URLSearchParams({ form_token: token, next: "/healthz", secret_token: secret });
  if (!secret) body.delete("secret_token");
  return fetch(`/you/acts/${is ? "like" : "unlike"}-track/${id}`, {
    method: "POST",
    body,
    redirect: "manual",
  }).then(
    ({ type }) => type === "opaqueredirect",
    () => false,
  );
}

export function openHearts(bar: HTMLElement): void {
  const hearts = findAll(bar, ".deck-like", HTMLElement);

  function show(): void {
    const { entry } = player;
    const is = entry !== undefined && isLiked(entry);
    for (const heart of hearts) {
      heart.setAttribute("aria-pressed", String(is));
      heart.title = is ? "Liked" : "Like";
      heart.dataset.act = `like-track/${entry?.id}`;
      // A visitor is asked to sign in.
      if (reader === undefined) heart.dataset.wants = heart.dataset.act;
      else delete heart.dataset.wants;
    }
  }

  function learn(): void {
    const { entry } = player;
    const onPage = entry && pageLikes(entry.id);
    if (entry && onPage !== undefined) liked.set(entry.id, onPage);
    show();
  }

  /** Presses are sent one after the other, so that the last one counts. */
  let before: Promise<unknown> = Promise.resolve();

  async function press(): Promise<void> {
    const { entry } = player;
    if (!entry || reader === undefined) return;
    const is = !isLiked(entry);
    liked.set(entry.id, is);
    show();
    const sending = before.then(() => send(bar.dataset.token ?? "", entry.id, is, entry.secret));
    before = sending;
    const isSaved = await sending;
    if (!isSaved) liked.set(entry.id, !is);
    else entry.liked = is;
    show();
    if (!isSaved) return say("The like was not saved. Reload the page and try again.");
    showOnPage(entry.id, is);
    // Back would show the heart as it was.
    window.Turbo?.cache.clear();
    say(`“${entry.title}” is ${is ? "among" : "no longer among"} your likes.`);
  }

  for (const heart of hearts) heart.addEventListener("click", press);
  // The bar outlives a visitor who signs in.
  document.addEventListener("turbo:before-render", ({ detail }) => {
    const token = findIfAny(detail.newBody, "#player-bar .deck", HTMLElement)?.dataset.token;
    if (token) bar.dataset.token = token;
  });
  for (const name of ["turbo:load", "turbo:render"]) document.addEventListener(name, learn);
  player.addEventListener("track", learn);
  learn();
}

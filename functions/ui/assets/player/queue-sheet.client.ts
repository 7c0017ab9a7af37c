import { closest, find, findIfAny } from "../elements.ts";
import { make } from "./make.ts";
import type { player as Player } from "./player.ts";
import { cleared, type Entry, moved, without } from "./player-queue.ts";

/** The queue in its sheet: rows are played, moved and removed, and the whole becomes a set. */

interface Given {
  player: typeof Player;
  say: (text: string) => void;
  /** Token of the form that makes a set. */
  token: () => string;
}

const filled = new WeakMap<HTMLElement, QueueSheet>();

export function fillQueueSheet(sheet: HTMLDialogElement, given: Given): void {
  const queue = filled.get(sheet) ?? new QueueSheet(sheet, given);
  filled.set(sheet, queue);
  queue.show();
}

function buttonOf(className: string, label: string, ...content: (string | Node)[]): HTMLButtonElement {
  const button = Object.assign(make("button", className, ...content), { type: "button", title: label });
  button.setAttribute("aria-label", label);
  return button;
}

const words = (className: string, text = "") => Object.assign(make("span", className, text), { dir: "auto" });

/** Copies an icon of the bar. */
const icon = (name: string) => document.querySelector(`#player-bar .icon-${name}`)?.cloneNode(true) ?? "";

const placeOf = (element: Element | null | undefined) => Number(element?.closest("li")?.dataset.at);

class QueueSheet {
  readonly #sheet: HTMLDialogElement;
  readonly #given: Given;
  readonly #next: HTMLElement;
  /** The row that the pointer holds. */
  #dragged: HTMLElement | undefined;

  constructor(sheet: HTMLDialogElement, given: Given) {
    this.#sheet = sheet;
    this.#given = given;
    this.#next = find(sheet, ".queue-next", HTMLElement);
    for (const name of ["queue", "track"])
      given.player.addEventListener(name, () => sheet.open && !this.#dragged && this.show());
    sheet.addEventListener("click", (event) => this.#press(event));
    sheet.addEventListener("keydown", (event) => this.#key(event));
    this.#next.addEventListener("pointerdown", (event) => this.#grab(event));
    const save = findIfAny(sheet, ".queue-save", HTMLFormElement);
    save?.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#save(save);
    });
  }

  get #player() {
    return this.#given.player;
  }

  /** Keeps the focus where it was, or at the row that took a removed one's place. */
  show(): void {
    const { entries, at } = this.#player.queue;
    const focused = this.#sheet.contains(document.activeElement) ? document.activeElement : null;
    const [place, className] = [placeOf(focused), focused?.className];
    const rows = entries.map((entry, place) => this.#row(entry, place));
    this.#fill(".queue-now", rows.slice(at, at + 1));
    this.#fill(".queue-next", rows.slice(at + 1));
    this.#fill(".queue-played", rows.slice(0, at));
    const coming = entries.length - at - 1;
    find(this.#sheet, ".queue-next-title", HTMLElement).hidden = coming === 0;
    find(this.#sheet, ".queue-empty", HTMLElement).hidden = coming > 0;
    find(this.#sheet, ".queue-before", HTMLElement).hidden = at < 1;
    find(this.#sheet, ".queue-clear", HTMLButtonElement).disabled = coming === 0;
    if (Number.isNaN(place) || focused?.isConnected) return;
    const again = (row: number) => findIfAny(this.#sheet, `li[data-at="${row}"] .${className}`, HTMLElement);
    (again(place) ?? again(place - 1) ?? find(this.#sheet, ".queue-play", HTMLElement)).focus();
  }

  #fill(selector: string, rows: HTMLElement[]): void {
    find(this.#sheet, selector, HTMLElement).replaceChildren(...rows);
  }

  #row({ title = "", artist, artwork }: Entry, at: number): HTMLElement {
    const isNow = at === this.#player.queue.at;
    const row = make("li", "queue-row");
    row.dataset.at = String(at);
    const play = make("button", "queue-play");
    play.type = "button";
    if (artwork) {
      const picture = new Image(40, 40);
      picture.loading = "lazy";
      picture.alt = "";
      picture.src = artwork;
      play.append(picture);
    }
    play.append(words("queue-title", title), " ", words("queue-artist", artist));
    row.append(play);
    if (isNow) play.setAttribute("aria-current", "true");
    else row.append(buttonOf("queue-remove", `Remove ${title} from the queue`, icon("close")));
    if (at > this.#player.queue.at) {
      const handle = buttonOf("queue-handle", `Move ${title}: arrow keys, or press for buttons`, "⠿");
      handle.setAttribute("aria-expanded", "false");
      row.prepend(handle);
    }
    return row;
  }

  #press({ target }: Event): void {
    const button = closest(target, "button", HTMLButtonElement);
    const at = placeOf(button);
    if (button?.matches(".queue-clear")) {
      this.#player.arrange(cleared);
      this.#given.say("Nothing follows any more.");
      find(this.#sheet, ".queue-play", HTMLElement).focus();
    }
    if (!button || Number.isNaN(at)) return;
    if (button.matches(".queue-remove")) this.#player.arrange((from) => without(from, at));
    else if (button.matches(".queue-handle")) this.#offerMoves(button);
    else if (button.dataset.by)
      this.#moveBy(at, Number(button.dataset.by), `[data-by="${button.dataset.by}"]`);
    else this.#player.jump(at);
  }

  /** Buttons in place of dragging. */
  #offerMoves(handle: HTMLButtonElement): void {
    const isOpen = handle.getAttribute("aria-expanded") === "true";
    handle.setAttribute("aria-expanded", String(!isOpen));
    const row = handle.closest("li");
    if (isOpen) row?.querySelector(".queue-moves")?.remove();
    else row?.append(movesOf(row));
  }

  #key(event: KeyboardEvent): void {
    const { key, altKey, target } = event;
    const by = { ArrowUp: -1, ArrowDown: 1 }[key];
    const row = closest(target, ".queue-next li", HTMLElement);
    if (!row || !by || !(altKey || closest(target, ".queue-handle", HTMLElement))) return;
    event.preventDefault();
    const focused = closest(target, "button", HTMLElement)?.className ?? "queue-handle";
    this.#moveBy(placeOf(row), by, `.${focused}`);
  }

  /** `back` finds what has the focus afterwards, in the row. */
  #moveBy(at: number, by: number, back: string): void {
    const { queue } = this.#player;
    const to = at + by;
    if (to <= queue.at || to >= queue.entries.length) return;
    this.#arrange(at, to);
    const row = find(this.#sheet, `li[data-at="${to}"]`, HTMLElement);
    if (back.startsWith("[")) {
      find(row, ".queue-handle", HTMLElement).setAttribute("aria-expanded", "true");
      row.append(movesOf(row));
    }
    find(row, back, HTMLElement).focus();
  }

  #arrange(from: number, to: number): void {
    const { queue } = this.#player;
    this.#player.arrange((all) => moved(all, from, to));
    const { title } = queue.entries[from] ?? {};
    this.#given.say(
      `“${title}” is number ${to - queue.at} of ${queue.entries.length - queue.at - 1} next up.`,
    );
  }

  /** Mouse, pen and finger move a row by its handle. */
  #grab(event: PointerEvent): void {
    const row = closest(event.target, ".queue-handle", HTMLElement)?.closest("li");
    if (!row || event.button !== 0) return;
    const list = this.#next;
    const startY = event.clientY;
    const first = this.#player.queue.at + 1;
    const body = closest(list, ".queue-body", HTMLElement);
    const move = ({ clientY, pointerId }: PointerEvent) => {
      if (!this.#dragged) {
        // A press is no drag.
        if (Math.abs(clientY - startY) < 5) return;
        this.#dragged = row;
        row.classList.add("dragged");
        // The handle would lose the pointer whenever its row moves.
        list.setPointerCapture(pointerId);
      }
      putAt(list, row, clientY);
      if (body) scrollAlong(body, clientY);
    };
    const end = () => {
      list.removeEventListener("pointermove", move);
      for (const name of ["pointerup", "pointercancel"]) document.removeEventListener(name, end);
      if (!this.#dragged) return;
      this.#dragged = undefined;
      const { at } = this.#player.queue;
      // The next track may have begun meanwhile.
      const to = Math.max(first + [...list.children].indexOf(row), at + 1);
      const from = placeOf(row);
      if (from <= at || to === from) this.show();
      else this.#arrange(from, to);
    };
    list.addEventListener("pointermove", move);
    for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, end);
  }

  async #save(form: HTMLFormElement): Promise<void> {
    const title = find(form, "[name=title]", HTMLInputElement);
    const button = find(form, "button", HTMLButtonElement);
    // A second press would make a second set.
    if (button.ariaBusy === "true") return;
    button.ariaBusy = "true";
    findIfAny(form, ".queue-saved", HTMLElement)?.remove();
    const tracks = [...new Set(this.#player.queue.entries.map(({ id }) => id))].join(",");
    const body = new URLSearchParams({ form_token: this.#given.token(), title: title.value, tracks });
    const reply = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } })
      .then((answer) => answer.json())
      .catch(() => ({}));
    button.ariaBusy = null;
    const { page, added, left, errors }: Partial<Saved> = reply;
    if (page === undefined || added === undefined)
      return this.#given.say(errors?.[0]?.error_message ?? "The set was not saved. Try again.");
    title.value = "";
    const link = make("a", "queue-saved", "Open the set");
    link.href = page;
    button.after(link);
    const rest = left
      ? ` ${left} ${left === 1 ? "is" : "are"} left out, because only a private link opens them.`
      : "";
    this.#given.say(`The set has ${added} ${added === 1 ? "track" : "tracks"}.${rest}`);
  }
}

interface Saved {
  /** Address of the set. */
  page: string;
  added: number;
  /** Tracks that the reader's sets may not hold. */
  left: number;
  errors: { error_message: string }[];
}

function movesOf(row: HTMLElement): HTMLElement {
  const title = row.querySelector(".queue-title")?.textContent ?? "";
  const [up, down] = [
    buttonOf("queue-step", `Move ${title} up`, icon("unfold")),
    buttonOf("queue-step", `Move ${title} down`, icon("fold")),
  ];
  up.dataset.by = "-1";
  down.dataset.by = "1";
  return make("span", "queue-moves", up, down);
}

/** Puts the row where the pointer is. */
function putAt(list: HTMLElement, row: HTMLElement, y: number): void {
  const others = [...list.children].filter((each) => each !== row);
  const next = others.find((each) => {
    const { top, height } = each.getBoundingClientRect();
    return y < top + height / 2;
  });
  if ((next ?? null) !== row.nextElementSibling) list.insertBefore(row, next ?? null);
}

/** Pixels from the edge at which a dragged row scrolls the list, and by how much. */
const EDGE_PX = 40;
const SCROLL_PX = 12;

function scrollAlong(body: HTMLElement, y: number): void {
  const { top, bottom } = body.getBoundingClientRect();
  if (y < top + EDGE_PX) body.scrollTop -= SCROLL_PX;
  if (y > bottom - EDGE_PX) body.scrollTop += SCROLL_PX;
}

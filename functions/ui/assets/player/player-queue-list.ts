import { closest, findIfAny } from "../elements.ts";
import { player } from "./player.ts";
import type { Entry } from "./player-queue.ts";

/** The queue as a list: each entry is played or removed by its buttons. */

function buttonOf(className: string, at: number): HTMLButtonElement {
  const button = Object.assign(document.createElement("button"), { type: "button", className });
  button.dataset.at = String(at);
  return button;
}

const words = (className: string, textContent = "") =>
  Object.assign(document.createElement("span"), { className, textContent, dir: "auto" });

function rowOf(entry: Entry, at: number): HTMLLIElement {
  const play = buttonOf("queue-play", at);
  play.append(words("queue-title", entry.title), words("queue-artist", entry.artist));
  const row = document.createElement("li");
  row.append(play);
  if (at === player.queue.at) {
    play.setAttribute("aria-current", "true");
    return row;
  }
  const remove = buttonOf("queue-remove", at);
  remove.textContent = "×";
  remove.setAttribute("aria-label", `Remove ${entry.title} from the queue`);
  row.append(remove);
  return row;
}

const listened = new WeakSet<HTMLElement>();

/** Keeps the focus where it was, or at the row that took a removed one's place. */
export function showQueue(list: HTMLElement): void {
  const { activeElement } = document;
  const focused =
    activeElement instanceof HTMLElement && list.contains(activeElement) ? activeElement : undefined;
  list.replaceChildren(...player.queue.entries.map(rowOf));
  if (focused?.className) {
    const again = `.${focused.className}[data-at="${focused.dataset.at}"]`;
    (findIfAny(list, again, HTMLElement) ?? findIfAny(list, "button", HTMLElement))?.focus();
  }
  if (listened.has(list)) return;
  listened.add(list);
  list.addEventListener("click", ({ target }) => {
    const button = closest(target, "button", HTMLButtonElement);
    if (!button) return;
    const at = Number(button.dataset.at);
    if (button.matches(".queue-remove")) player.remove(at);
    else player.jump(at);
  });
}

import { player } from "./player.js";

/** The queue as a list: each entry is played or removed by its buttons. */

const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

function rowOf(entry, at) {
  const isNow = at === player.queue.at;
  const play = element("button", { type: "button", className: "queue-play" });
  play.append(
    element("span", { className: "queue-title", dir: "auto", textContent: entry.title }),
    element("span", { className: "queue-artist", dir: "auto", textContent: entry.artist ?? "" }),
  );
  if (isNow) play.setAttribute("aria-current", "true");
  play.dataset.at = String(at);
  const row = element("li", {}, play);
  if (isNow) return row;
  const remove = element("button", { type: "button", className: "queue-remove", textContent: "×" });
  remove.setAttribute("aria-label", `Remove ${entry.title} from the queue`);
  remove.dataset.at = String(at);
  row.append(remove);
  return row;
}

const listened = new WeakSet();

/** Keeps the focus where it was, or at the row that took a removed one's place. */
export function showQueue(list) {
  const { className, dataset } = list.contains(document.activeElement) ? document.activeElement : {};
  list.replaceChildren(...player.queue.entries.map(rowOf));
  if (className)
    (list.querySelector(`.${className}[data-at="${dataset.at}"]`) ?? list.querySelector("button"))?.focus();
  if (listened.has(list)) return;
  listened.add(list);
  list.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    const at = Number(button.dataset.at);
    if (button.matches(".queue-remove")) player.remove(at);
    else player.jump(at);
  });
}

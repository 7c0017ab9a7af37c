import { closest, find } from "../elements.ts";
import { type Entry, search } from "./docs-find.ts";

/** Shows what is found while it is typed. Enter leads to the page of results, as without a script. */

const MOST = 8;

const form = find(document, ".docs-search", HTMLElement);
const input = find(form, "input", HTMLInputElement);
const list = document.createElement("ul");
list.className = "docs-results";
const status = document.createElement("p");
status.className = "sr-only";
status.role = "status";
form.after(list, status);

let entries: Promise<Entry[] | undefined> | undefined;
const load = () =>
  (entries ??= fetch("/docs/search.json")
    .then((reply) => reply.json())
    .catch(tellOffline));

/** The next key asks again. */
function tellOffline(): undefined {
  entries = undefined;
  status.textContent = "The search is out of reach. Try again.";
  status.className = "hint";
}

input.addEventListener("focus", load);
input.addEventListener("input", async () => {
  const words = input.value;
  const all = await load();
  if (words !== input.value || !all) return;
  const found = search(all, words).slice(0, MOST);
  list.replaceChildren(...found.map(itemOf));
  const isSought = words.trim() !== "";
  status.className = isSought && !found.length ? "hint" : "sr-only";
  status.textContent = isSought ? `${found.length || "No"} ${found.length === 1 ? "result" : "results"}` : "";
});

function itemOf({ title, within, path }: Entry): HTMLLIElement {
  const item = document.createElement("li");
  const link = document.createElement("a");
  const small = document.createElement("small");
  link.href = path;
  small.textContent = within;
  link.append(title, " ", small);
  item.append(link);
  return item;
}

const STEPS = new Map([
  ["ArrowDown", 1],
  ["ArrowUp", -1],
]);

// Arrows walk through the results, and Escape returns to the field.
form.parentElement?.addEventListener("keydown", (event) => {
  const stops = [input, ...list.querySelectorAll("a")];
  const at = stops.findIndex((stop) => stop.matches(":focus"));
  const step = STEPS.get(event.key);
  if (at >= 0 && step) {
    event.preventDefault();
    stops[Math.max(0, Math.min(stops.length - 1, at + step))]?.focus();
  } else if (event.key === "Escape") {
    input.value = "";
    list.replaceChildren();
    input.focus();
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || closest(event.target, "input, textarea, select", HTMLElement)) return;
  event.preventDefault();
  input.focus();
});

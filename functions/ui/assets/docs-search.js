import { find } from "../../web/docs/find.ts";

/** Shows what is found while it is typed. Enter leads to the page of results, as without a script. */

const MOST = 8;

const form = document.querySelector(".docs-search");
const input = form.querySelector("input");
const list = document.createElement("ul");
list.className = "docs-results";
const status = document.createElement("p");
status.className = "sr-only";
status.role = "status";
form.after(list, status);

let entries;
const load = () =>
  (entries ??= fetch("/docs/search.json")
    .then((reply) => reply.json())
    .catch(tellOffline));

/** The next key asks again. */
function tellOffline() {
  entries = undefined;
  status.textContent = "The search is out of reach. Try again.";
  status.className = "hint";
}

input.addEventListener("focus", load);
input.addEventListener("input", async () => {
  const words = input.value;
  const all = await load();
  if (words !== input.value || !all) return;
  const found = find(all, words).slice(0, MOST);
  list.replaceChildren(...found.map(itemOf));
  status.className = "sr-only";
  status.textContent = words.trim() ? `${found.length} ${found.length === 1 ? "result" : "results"}` : "";
});

function itemOf({ title, within, path }) {
  const [item, link, small] = ["li", "a", "small"].map((name) => document.createElement(name));
  link.href = path;
  small.textContent = within;
  link.append(title, " ", small);
  item.append(link);
  return item;
}

// Arrows walk through the results, and Escape returns to the field.
form.parentElement.addEventListener("keydown", (event) => {
  const stops = [input, ...list.querySelectorAll("a")];
  const at = stops.indexOf(document.activeElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (at >= 0 && step) {
    event.preventDefault();
    stops[Math.max(0, Math.min(stops.length - 1, at + step))].focus();
  } else if (event.key === "Escape") {
    input.value = "";
    list.replaceChildren();
    input.focus();
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.closest("input, textarea, select")) return;
  event.preventDefault();
  input.focus();
});

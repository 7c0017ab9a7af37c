import { change } from "./player.client.js";

/** The embed page: its colour, and the tracks of a list one after the other. */

const { color, autoPlay } = document.body.dataset;
const audio = document.querySelector("audio");

if (color) {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  // Whether black or white stands out against it.
  const isLight = red * 0.299 + green * 0.587 + blue * 0.114 > 150;
  document.documentElement.style.setProperty("--accent", color);
  document.documentElement.style.setProperty("--on-accent", isLight ? "#000000" : "#ffffff");
}

const links = [...document.querySelectorAll(".embed-list a")];

async function go(link, plays) {
  const page = new DOMParser().parseFromString(
    await (await fetch(link.href, { headers: { Accept: "text/html" } })).text(),
    "text/html",
  );
  const player = page.querySelector(".player");
  // What cannot be played has a page that says so.
  if (!player) return location.assign(link.href);
  document.querySelector(".embed-now").replaceWith(page.querySelector(".embed-now"));
  for (const one of links) one.toggleAttribute("aria-current", one === link);
  history.replaceState(null, "", link.href);
  change({ ...player.dataset }, { plays });
}

for (const link of links)
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(link, true);
  });

audio.addEventListener("ended", () => {
  const next = links[links.findIndex((link) => link.hasAttribute("aria-current")) + 1];
  if (next) go(next, true);
});

if (autoPlay) document.querySelector("button.play").click();

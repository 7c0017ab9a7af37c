import { change } from "./player.client.js";

/** Plays the tracks of a list one after the other in the page's player. */

const links = [...document.querySelectorAll(".track-list a")];

async function go(link) {
  const reply = await fetch(link.href, { headers: { Accept: "text/html" } });
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  const player = page.querySelector(".player");
  // A track that cannot be played has a page that says so.
  if (!player) return location.assign(link.href);
  document.querySelector(".now").replaceWith(page.querySelector(".now"));
  for (const one of links) one.removeAttribute("aria-current");
  link.setAttribute("aria-current", "true");
  history.replaceState(null, "", link.href);
  change({ ...player.dataset }, { plays: true });
}

for (const link of links)
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(link);
  });

document.querySelector(".player audio").addEventListener("ended", () => {
  const next = links[links.findIndex((link) => link.hasAttribute("aria-current")) + 1];
  if (next) go(next);
});

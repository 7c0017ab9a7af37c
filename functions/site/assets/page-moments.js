import { clock } from "./clock.js";
import { player } from "./player.js";

/** Puts the moment at which a page's track plays into its shared address and into the form for comments. */

/** Whole seconds. */
const playedS = () => Math.floor(document.querySelector("track-player")?.position ?? 0);

function showMoment() {
  const label = document.querySelector(".share-moment");
  if (!label) return;
  const [box, field] = [label.querySelector("input"), document.querySelector("[data-address]")];
  const at = playedS();
  label.querySelector("span").textContent = clock(at);
  const address = new URL(field.dataset.address);
  if (box.checked) address.searchParams.set("t", String(at));
  if (field.value !== address.href) field.value = address.href;
}

/** Follows the playhead until a comment is begun, or the moment is typed. */
function fillMoment() {
  const form = document.querySelector(".comment-form");
  const field = form?.querySelector("[name=moment]");
  const at = playedS();
  if (!field || at === 0 || field.dataset.typed || form.querySelector("[name=body]").value !== "") return;
  field.value = clock(at);
}

document.addEventListener("input", ({ target }) => {
  if (target.matches(".comment-form [name=moment]")) target.dataset.typed = "true";
});
document.addEventListener("change", ({ target }) => {
  if (target.closest(".share-moment")) showMoment();
});
for (const name of ["time", "track"])
  player.addEventListener(name, () => {
    showMoment();
    fillMoment();
  });

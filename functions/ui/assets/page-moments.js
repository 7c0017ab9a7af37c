import { clock } from "./clock.js";
import { player } from "./player.js";

/** Puts the moment at which a page's track plays into its shared address and into the form for comments. */

/** A field with the focus stays as it is: a change would take the selection from who copies it or types over it. */
const hasFocus = (field) => field === document.activeElement;

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
  if (field.value !== address.href && !hasFocus(field)) field.value = address.href;
}

/** The moment that was filled in last, by the form's address, because a page that is shown anew has it back. */
const filled = new Map();
/** The fields that got one. */
const fields = new WeakSet();

/** Follows the playhead until a comment is begun, or the moment is typed or emptied. */
function fillMoment() {
  const form = document.querySelector(".comment-form");
  const field = form?.querySelector("[name=moment]");
  const at = playedS();
  if (!field || hasFocus(field) || at === 0 || form.querySelector("[name=body]").value !== "") return;
  if (field.value !== filled.get(form.action) && (field.value !== "" || fields.has(field))) return;
  fields.add(field);
  field.value = clock(at);
  filled.set(form.action, field.value);
}

function showAndFill() {
  showMoment();
  fillMoment();
}

document.addEventListener("change", ({ target }) => {
  if (target.closest(".share-moment")) showMoment();
});
document.addEventListener("focusout", showAndFill);
for (const name of ["time", "track"]) player.addEventListener(name, showAndFill);

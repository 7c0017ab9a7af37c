import { clock } from "../clock.ts";
import { closest, find, findIfAny } from "../elements.ts";
import { player } from "./player.ts";

/** Puts the moment at which a page's track plays into its shared address and into the form for comments. */

declare global {
  interface HTMLElementTagNameMap {
    "track-player": HTMLElement & { readonly position: number; playFrom(seconds: number): void };
  }
}

/** A field with the focus stays as it is: a change would take the selection from who copies it or types over it. */
const hasFocus = (field: HTMLElement) => field === document.activeElement;

/** Whole seconds. */
const playedS = () => Math.floor(document.querySelector("track-player")?.position ?? 0);

function showMoment(): void {
  const label = findIfAny(document, ".share-moment", HTMLElement);
  const field = findIfAny(document, "[data-address]", HTMLInputElement);
  if (!label || !field) return;
  const at = playedS();
  find(label, "span", HTMLElement).textContent = clock(at);
  const address = new URL(field.dataset.address ?? "");
  if (find(label, "input", HTMLInputElement).checked) address.searchParams.set("t", String(at));
  if (field.value !== address.href && !hasFocus(field)) field.value = address.href;
}

/** The moment that was filled in last, by the form's address, because a page that is shown anew has it back. */
const filled = new Map<string, string>();
/** The fields that got one. */
const fields = new WeakSet<HTMLInputElement>();

/** Follows the playhead until a comment is begun, or the moment is typed or emptied. */
function fillMoment(): void {
  const form = findIfAny(document, ".comment-form form", HTMLFormElement);
  const field = form && findIfAny(form, "[name=moment]", HTMLInputElement);
  const at = playedS();
  if (!field || hasFocus(field) || at === 0) return;
  const body = find(form, "[name=body]", HTMLTextAreaElement);
  if (body.value !== "") return;
  if (field.value !== filled.get(form.action) && (field.value !== "" || fields.has(field))) return;
  fields.add(field);
  field.value = clock(at);
  filled.set(form.action, field.value);
  body.placeholder = `Write a comment at ${field.value}`;
}

function showAndFill(): void {
  showMoment();
  fillMoment();
}

document.addEventListener("change", ({ target }) => {
  if (closest(target, ".share-moment", HTMLElement)) showMoment();
});
document.addEventListener("focusout", showAndFill);
for (const name of ["time", "track"]) player.addEventListener(name, showAndFill);

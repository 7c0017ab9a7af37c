import { secondsOf } from "../clock.ts";
import { find, findIfAny } from "../elements.ts";
import { SIZE } from "./moment-entry.ts";

/** Shows the reader's own avatar on a waveform, at the moment of the comment that is being written. */
export function placeOwnMoment(root: HTMLElement, lengthS: number): void {
  const shown = findIfAny(root, ".own-moment", HTMLElement);
  const form = findIfAny(document, ".comment-form", HTMLElement);
  const share = form ? (secondsOf(find(form, "[name=moment]", HTMLInputElement).value) ?? 0) / lengthS : 1;
  // A visitor has none.
  const avatar = form && findIfAny(form, ".comment-avatar", Element);
  if (!avatar || !isWriting(form) || !(share < 1)) {
    shown?.remove();
    return;
  }
  const image = shown ?? ownAvatar(avatar);
  if (!shown) root.append(image);
  const width = root.clientWidth;
  image.style.left = `${Math.min(Math.max(share * width, SIZE / 2), width - SIZE / 2)}px`;
}

const isWriting = (form: HTMLElement) =>
  form.contains(document.activeElement) || find(form, "[name=body]", HTMLTextAreaElement).value !== "";

function ownAvatar(avatar: Element): HTMLElement {
  const image = document.createElement("i");
  image.className = "own-moment";
  image.append(avatar.cloneNode(true));
  return image;
}

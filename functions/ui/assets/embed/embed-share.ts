import { closest, find, findAll, findIfAny } from "../elements.ts";

/** Opens the panel with the link and the markup, and copies them. `onOpen` runs each time. */
export function openShare(onOpen: () => void): () => void {
  const panel = findIfAny(document, ".embed-share", HTMLDialogElement);
  if (!panel) return () => {};

  const show = () => {
    const opener = findIfAny(document, ".embed-share-open", HTMLElement);
    if (opener) opener.hidden = false;
  };

  document.addEventListener("click", ({ target }) => {
    if (closest(target, ".embed-share-open", HTMLElement)) {
      panel.showModal();
      onOpen();
    }
    if (closest(target, ".embed-share-close", HTMLElement)) panel.close();
    const copies = closest(target, "[data-copies]", HTMLElement);
    if (!copies?.parentElement) return;
    find(copies.parentElement, "input", HTMLInputElement).select();
    // The newer interface is closed to most embedded pages.
    if (document.execCommand("copy")) copies.textContent = "Copied";
  });
  panel.addEventListener("close", () => {
    for (const one of findAll(panel, "[data-copies]", HTMLElement)) one.textContent = "Copy";
  });
  show();
  return show;
}

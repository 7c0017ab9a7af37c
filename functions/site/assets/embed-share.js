/** Opens the panel with the link and the markup, and copies them. `onOpen` runs each time. */
export function openShare(onOpen) {
  const panel = document.querySelector(".embed-share");
  if (!panel) return () => {};

  const show = () => {
    const opener = document.querySelector(".embed-share-open");
    if (opener) opener.hidden = false;
  };

  document.addEventListener("click", ({ target }) => {
    if (target.closest(".embed-share-open")) {
      panel.showModal();
      onOpen();
    }
    if (target.closest(".embed-share-close")) panel.close();
    const copies = target.closest("[data-copies]");
    if (!copies) return;
    copies.parentElement.querySelector("input").select();
    // The newer interface is closed to most embedded pages.
    if (document.execCommand("copy")) copies.textContent = "Copied";
  });
  panel.addEventListener("close", () => {
    for (const one of panel.querySelectorAll("[data-copies]")) one.textContent = "Copy";
  });
  show();
  return show;
}

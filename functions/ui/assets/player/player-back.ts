/** Lets the full player hear of Back and Forward before Turbo, which would visit the page anew. */

let hears: ((event: PopStateEvent) => void) | undefined;

const hear = (event: PopStateEvent) => hears?.(event);

// The window calls its listeners in the order of their addition, even those that capture.
document.addEventListener(
  "turbo:load",
  () => {
    const turbo = window.Turbo?.session.history;
    turbo?.stop();
    addEventListener("popstate", hear);
    turbo?.start();
  },
  { once: true },
);

/** Pages without Turbo have no other listener. */
export function hearBack(listener: (event: PopStateEvent) => void): void {
  hears = listener;
  addEventListener("popstate", hear);
}

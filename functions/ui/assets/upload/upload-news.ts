/** Tells the page that something about its uploads changed. */

/** Milliseconds between two looks at the page. */
const TELL_MS = 60;

const listeners = new Set<() => void>();

/** Returns a function that ends it. */
export function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let isToldSoon = false;

export function tell(): void {
  if (isToldSoon) return;
  isToldSoon = true;
  setTimeout(() => {
    isToldSoon = false;
    for (const listener of listeners) listener();
  }, TELL_MS);
}

/**
 * The files that are being uploaded. They belong to the module, so they go on while the site swaps pages.
 * Phases: `lost` (its file must be chosen again), `elsewhere` (another tab has it), `waiting`, `sending`, `paused`, `stalled`, `joining`,
 * `creating`, `unfit` (a field must change), `encoding`, `finished`, `failed`, `removing`.
 */
export const items = [];

/** Files on their way at once. */
const MAX_SENDING = 3;
/** Sessions that the API allows. One that is paused, stalled or lost holds its place, too. */
const MAX_SESSIONS = 5;
/** Milliseconds between two looks at the page. */
const TELL_MS = 60;

const listeners = new Set();

export function listen(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let isToldSoon = false;

/** Tells the page that something changed. */
export function tell() {
  if (isToldSoon) return;
  isToldSoon = true;
  setTimeout(() => {
    isToldSoon = false;
    for (const listener of listeners) listener();
  }, TELL_MS);
}

const isUnder =
  (...phases) =>
  (item) =>
    phases.includes(item.phase);

export const isMoving = isUnder("waiting", "sending", "joining", "creating");
export const isHalted = isUnder("paused", "stalled");

const isOpen = ({ upload, track }) => upload && !track && upload.status !== "ready";

/** Sends what waits, as far as there is room. */
export function startNext() {
  const sending = items.filter(isUnder("sending", "joining"));
  let free = MAX_SENDING - sending.length;
  const begun = new Set([...sending, ...items.filter(isOpen)]);
  for (const item of items) {
    if (item.phase !== "waiting") continue;
    item.isHeldBack = begun.size >= MAX_SESSIONS && !begun.has(item);
    if (free <= 0 || item.isHeldBack || item.notBefore > Date.now()) continue;
    free--;
    begun.add(item);
    item.send();
  }
  tell();
}

/** A waveform as a slider: the keys that move it, and the pointer that holds it. */

/** Seconds per press of an arrow. */
export const STEP_S = 5;
/** Seconds per press of a page key. */
const LEAP_S = 30;

/**
 * `position` and `length` tell seconds, `moveTo` takes them, and `playFrom` plays from them once the pointer lets go.
 * `show` draws the position anew. Returns what tells the seconds at which the pointer holds it, `undefined` otherwise.
 */
export function openSeek(seek, { position, length, moveTo, playFrom, toggle, show }, signal) {
  let sought;
  const hold = (seconds) => {
    sought = seconds;
    show();
  };
  const by = (seconds) => () => moveTo(position() + seconds);
  const keys = {
    ...{ ArrowLeft: by(-STEP_S), ArrowDown: by(-STEP_S), ArrowRight: by(STEP_S), ArrowUp: by(STEP_S) },
    ...{ PageDown: by(-LEAP_S), PageUp: by(LEAP_S), Home: () => moveTo(0), End: () => moveTo(length()) },
    " ": toggle,
  };
  const on = (name, listener) => seek.addEventListener(name, listener, { signal });
  on("keydown", (event) => {
    const action = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey && keys[event.key];
    if (!action) return;
    event.preventDefault();
    if (!event.repeat || action !== toggle) action();
  });
  const pointed = ({ clientX }) => {
    const { left, width } = seek.getBoundingClientRect();
    return Math.min(Math.max((clientX - left) / width, 0), 1) * length();
  };
  on("pointerdown", (event) => {
    if (event.button !== 0) return;
    seek.setPointerCapture(event.pointerId);
    hold(pointed(event));
  });
  on("pointermove", (event) => sought !== undefined && hold(pointed(event)));
  on("pointerup", () => {
    if (sought === undefined) return;
    const to = sought;
    sought = undefined;
    playFrom(to);
  });
  on("pointercancel", () => hold(undefined));
  return () => sought;
}

/** A waveform as a slider: the keys that move it, and the pointer that holds it. */

/** Seconds per press of an arrow. */
export const STEP_S = 5;
/** Seconds per press of a page key. */
const LEAP_S = 30;

/** Times are in seconds. */
interface Seekable {
  position(): number;
  length(): number;
  moveTo(seconds: number): void;
  /** Plays from there once the pointer lets go. */
  playFrom(seconds: number): void;
  toggle(): void;
  /** Draws the position anew. */
  show(): void;
}

/** Returns what tells the seconds at which the pointer holds the position, `undefined` otherwise. */
export function openSeek(
  seek: HTMLElement,
  { position, length, moveTo, playFrom, toggle, show }: Seekable,
  signal?: AbortSignal,
): () => number | undefined {
  let sought: number | undefined;
  const hold = (seconds: number | undefined) => {
    sought = seconds;
    show();
  };
  const by = (seconds: number) => () => moveTo(position() + seconds);
  const keys: Record<string, (() => void) | undefined> = {
    ArrowLeft: by(-STEP_S),
    ArrowDown: by(-STEP_S),
    ArrowRight: by(STEP_S),
    ArrowUp: by(STEP_S),
    PageDown: by(-LEAP_S),
    PageUp: by(LEAP_S),
    Home: () => moveTo(0),
    End: () => moveTo(length()),
    " ": toggle,
  };
  const pointed = ({ clientX }: PointerEvent) => {
    const { left, width } = seek.getBoundingClientRect();
    return Math.min(Math.max((clientX - left) / width, 0), 1) * length();
  };
  seek.addEventListener(
    "keydown",
    (event) => {
      const { key, repeat, ctrlKey, metaKey, altKey, shiftKey } = event;
      const action = ctrlKey || metaKey || altKey || shiftKey ? undefined : keys[key];
      if (!action) return;
      event.preventDefault();
      if (!repeat || action !== toggle) action();
    },
    { signal },
  );
  const on = (name: `pointer${"down" | "move" | "up" | "cancel"}`, listener: (event: PointerEvent) => void) =>
    seek.addEventListener(name, listener, { signal });
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

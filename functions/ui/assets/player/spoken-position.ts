import { clock } from "../clock.ts";

/** Seconds. A screen reader speaks each new text of the slider that has the focus, over whatever else it reads. */
const SPOKEN_STEP_S = 30;

/** Seconds. */
interface Position {
  at: number;
  length: number;
  isPlaying: boolean;
}

/** Positions as last written, by slider. */
const written = new WeakMap<HTMLElement, { at: number; length: number } | undefined>();

/** Writes a slider's position as text. A focused slider that plays on keeps its text until a key moves it or the step is over. */
export function writePosition(seek: HTMLElement, { at, length, isPlaying }: Position): void {
  if (!written.has(seek)) {
    const forget = () => written.set(seek, undefined);
    // Before the slider's own listeners, which move it and write the new position.
    for (const name of ["keydown", "focus"]) seek.addEventListener(name, forget, { capture: true });
  }
  const last = written.get(seek) ?? { at: Number.NEGATIVE_INFINITY, length };
  const passed = at - last.at;
  const goesOn = passed >= 0 && passed < SPOKEN_STEP_S && Math.abs(length - last.length) < SPOKEN_STEP_S;
  if (goesOn && isPlaying && document.activeElement === seek) return;
  written.set(seek, { at, length });
  const text = `${clock(at)} of ${clock(length)}`;
  if (seek.getAttribute("aria-valuetext") !== text) seek.setAttribute("aria-valuetext", text);
}

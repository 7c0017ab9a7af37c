import { clock } from "./clock.js";

/** Seconds. A screen reader speaks each new text of the slider that has the focus, over whatever else it reads. */
const SPOKEN_STEP_S = 30;

/** Positions as last written, by slider. */
const written = new WeakMap();

/** Writes a slider's position as text. A focused slider that plays on keeps its text until a key moves it or the step is over. */
export function writePosition(seek, { at, length, isPlaying }) {
  if (!written.has(seek)) {
    const forget = () => written.set(seek, undefined);
    // Before the slider's own listeners, which move it and write the new position.
    for (const name of ["keydown", "focus"]) seek.addEventListener(name, forget, { capture: true });
  }
  const last = written.get(seek);
  const passed = last ? at - last.at : Number.POSITIVE_INFINITY;
  const goesOn = passed >= 0 && passed < SPOKEN_STEP_S && Math.abs(length - last.length) < SPOKEN_STEP_S;
  if (goesOn && isPlaying && document.activeElement === seek) return;
  written.set(seek, { at, length });
  const text = `${clock(at)} of ${clock(length)}`;
  if (seek.getAttribute("aria-valuetext") !== text) seek.setAttribute("aria-valuetext", text);
}

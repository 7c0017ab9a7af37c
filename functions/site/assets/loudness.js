/** ReplayGain 2.0's reference, in LUFS. Little music is quieter, so turning down suffices and nothing clips. */
const TARGET_LUFS = -18;

const CHOICE = "even-level";

/** Whether the listener wants all tracks equally loud. Storage may be closed to an embedded page. */
export function readChoice() {
  try {
    return localStorage.getItem(CHOICE) !== "off";
  } catch {
    return true;
  }
}

export function storeChoice(isOn) {
  try {
    localStorage.setItem(CHOICE, isOn ? "on" : "off");
  } catch {}
}

/** Factor for the volume of a track of this loudness. */
export const gainOf = (lufs) => Math.min(1, 10 ** ((TARGET_LUFS - lufs) / 20));

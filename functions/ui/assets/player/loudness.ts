/** ReplayGain 2.0's reference, in LUFS. Little music is quieter, so turning down suffices and nothing clips. */
const TARGET_LUFS = -18;

/** The listener's choice to have all tracks equally loud. */
export const EVEN_LEVEL = "even-level";

/** Factor for the volume of a track of this loudness. */
export const gainOf = (lufs: number): number => Math.min(1, 10 ** ((TARGET_LUFS - lufs) / 20));

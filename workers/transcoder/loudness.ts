import type { Loudness } from "./contract.ts";
import type { Output } from "./encode.ts";

/** The absolute gate of EBU R128. A programme at this level is silence. */
const ABSOLUTE_GATE_LUFS = -70;

/** `ebur128` measures the same as `loudnorm` at a fifteenth of the cost. The log level avoids a line every 100 ms. */
export const LOUDNESS_METER: Output = ["-af", "ebur128=peak=true:framelog=verbose", "-f", "null", "-"];

/** Reads the meter's summary from lines of ffmpeg. Its final text counts. */
export function createLoudnessReader() {
  const values = new Map<string, number>();
  return {
    onLine(line: string): void {
      const [, name, value] = /^ +(I|LRA|Peak): +(-?[\d.]+) (?:LUFS|LU|dBFS)$/.exec(line) ?? [];
      if (name) values.set(name, Number(value));
    },
    loudness(): Loudness {
      const integrated = values.get("I") ?? ABSOLUTE_GATE_LUFS;
      const isSilent = integrated <= ABSOLUTE_GATE_LUFS;
      return {
        integrated_lufs: isSilent ? null : integrated,
        range_lu: isSilent ? null : (values.get("LRA") ?? null),
        true_peak_dbtp: values.get("Peak") ?? null,
      };
    },
  };
}

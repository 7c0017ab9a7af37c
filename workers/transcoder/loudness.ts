import type { Loudness } from "./contract.ts";
import { expectSuccess, rawInput } from "./encode.ts";
import { type Ffmpeg, startFfmpeg } from "./ffmpeg.ts";
import type { OutputRate } from "./fmp4.ts";

/** The absolute gate of EBU R128. A programme at this level is silence. */
const ABSOLUTE_GATE_LUFS = -70;

/** `ebur128` measures the same as `loudnorm` at a fifteenth of the cost. Its summary is the final text. */
export function startLoudnessMeter(ffmpeg: Ffmpeg, rate: OutputRate, signal: AbortSignal) {
  const values = new Map<string, number>();
  const meter = startFfmpeg(
    ffmpeg,
    [
      ...["-loglevel", "info", ...rawInput(rate)],
      // Avoids a line every 100 ms.
      ...["-af", "ebur128=peak=true:framelog=verbose", "-f", "null", "-"],
    ],
    {
      signal,
      onLine(line) {
        const [, name, value] = /^ +(I|LRA|Peak): +(-?[\d.]+) (?:LUFS|LU|dBFS)$/.exec(line) ?? [];
        if (name) values.set(name, Number(value));
      },
    },
  );
  meter.stdout.resume();

  const measured = async (): Promise<Loudness> => {
    await expectSuccess(meter, "the loudness meter");
    const integrated = values.get("I") ?? ABSOLUTE_GATE_LUFS;
    const isSilent = integrated <= ABSOLUTE_GATE_LUFS;
    return {
      integrated_lufs: isSilent ? null : integrated,
      range_lu: isSilent ? null : (values.get("LRA") ?? null),
      true_peak_dbtp: values.get("Peak") ?? null,
    };
  };
  return { stdin: meter.stdin, measured: measured() };
}

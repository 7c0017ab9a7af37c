import type { Loudness } from "./contract.ts";
import { expectSuccess, rawInput } from "./encode.ts";
import { type Ffmpeg, startFfmpeg } from "./ffmpeg.ts";
import type { OutputRate } from "./fmp4.ts";

/** EBU R128 gates out everything below: a programme measured at it is silence. */
const ABSOLUTE_GATE_LUFS = -70;

/** `ebur128` measures what `loudnorm` does at a fifteenth of its cost. Its summary is text, at the very end. */
export function startLoudnessMeter(ffmpeg: Ffmpeg, rate: OutputRate, signal: AbortSignal) {
  const values = new Map<string, number>();
  const meter = startFfmpeg(
    ffmpeg,
    [
      ...["-loglevel", "info", ...rawInput(rate)],
      // Otherwise a line every 100 ms.
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

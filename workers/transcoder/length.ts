import { JobFailure } from "./failures.ts";
import { type Ffmpeg, startFfmpeg } from "./ffmpeg.ts";
import { MAX_SECONDS } from "./pcm.ts";
import { guardedInput } from "./probe.ts";
import type { Progress } from "./progress.ts";
import type { Sniffed } from "./sniff.ts";
import type { Source } from "./source.ts";

/** Decodes without output, up to the limit, because a declared length alone proves nothing. */
export async function refuseIfTooLong(
  source: Source,
  sniffed: Sniffed,
  life: { ffmpeg: Ffmpeg; signal: AbortSignal; progress: Progress; moved(): void },
): Promise<void> {
  const counter = startFfmpeg(
    life.ffmpeg,
    [
      "-loglevel",
      "error",
      "-progress",
      "pipe:1",
      ...guardedInput(source.url, sniffed.demuxer),
      // Measures samples. Timestamps may lie, too.
      "-map",
      "0:a:0",
      "-t",
      String(MAX_SECONDS + 60),
      "-af",
      "asetpts=N/SR/TB",
      "-f",
      "null",
      "-",
    ],
    { signal: life.signal },
  );
  counter.stdin.end();
  let text = "";
  for await (const chunk of counter.stdout) {
    life.moved();
    text = (text + String(chunk)).slice(-1000);
    const [h, m, s] =
      text
        .match(/out_time=(\d+):(\d\d):(\d\d)/g)
        ?.at(-1)
        ?.match(/\d+/g) ?? [];
    life.progress.secondsDecoded = Number(h ?? 0) * 3600 + Number(m ?? 0) * 60 + Number(s ?? 0);
  }
  life.signal.throwIfAborted();
  if (life.progress.secondsDecoded > MAX_SECONDS) throw new JobFailure("too_long", "longer than 24 hours");
}

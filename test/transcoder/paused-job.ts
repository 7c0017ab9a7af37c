import { clicks, wavFile } from "../support/sources/pcm.ts";
import { type Faults, type GatewayProxy, startGatewayProxy } from "./gateway-proxy.ts";
import type { Transcoder } from "./transcoder-process.ts";

/** Long enough for a process of each encoder, of sound that they pass quickly. */
const clicksWav = () => wavFile(clicks(44_100 * 16, 44_100), 44_100);

interface PausedJob {
  worker: GatewayProxy;
  /** Releases the source's second half. */
  letGo(): void;
}

/** Stops an encode in the middle, with all processes alive, by holding the second half of its source until `letGo`. */
export async function startPausedJob(
  transcoder: Transcoder,
  { faults = {}, file = clicksWav() }: { faults?: Faults; file?: Buffer } = {},
): Promise<PausedJob> {
  const pausedReplies: (() => void)[] = [];
  let isPaused = true;
  const worker = await startGatewayProxy(file, {
    source(response, { from, to }) {
      const half = Math.floor(file.length / 2);
      // The file's end is looked at for chunks before anything is decoded.
      if (!isPaused || to < half || from >= half) return false;
      response.writeHead(206, { "Content-Length": to - from });
      response.write(file.subarray(from, half));
      pausedReplies.push(() => response.end(file.subarray(half, to)));
      return true;
    },
    ...faults,
  });
  const { status } = await transcoder.post(worker.job);
  if (status !== 202) throw new Error(`the job was answered ${status}`);
  return {
    worker,
    letGo() {
      isPaused = false;
      for (const go of pausedReplies) go();
    },
  };
}

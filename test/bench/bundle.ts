import { join } from "node:path";
import { workerBindings } from "../../workers/local/worker/bindings.ts";
import { buildWorker, wranglerOptions } from "../../workers/local/worker/build.ts";
import { type Bench, type Figure, median, spread } from "./bench.ts";
import { withStack } from "./stack.ts";
import { startUpMs } from "./start-up.ts";

/** The platform stops a start after a second of CPU: developers.cloudflare.com/workers/platform/limits */
const TARGET_MS = 200;
/** Closed, because the starts send no mail. */
const NO_MAIL_PORT = 9;

/** Row `bundle`: CPU that the start of a deploy's minified bundle takes beyond that of an empty Worker. */
export async function bundle(bench: Bench): Promise<Figure[]> {
  const directory = join(bench.scratch, "bundle");
  await buildWorker(directory, { minified: true });
  const { compatibilityDate = "", compatibilityFlags } = wranglerOptions(directory);
  const { bundleMs, emptyMs } = await withStack(bench, (stack) => {
    const texts = workerBindings({ ...stack, mailPort: NO_MAIL_PORT });
    return startUpMs(directory, { compatibilityDate, compatibilityFlags, texts });
  });
  const empty = median(emptyMs);
  const ours = median(bundleMs) - empty;
  return [
    {
      row: "bundle",
      what: "Start of the bundle: CPU of the main thread",
      over: `${TARGET_MS} ms`,
      unit: "ms",
      ours,
      floor: TARGET_MS,
      ratio: ours / TARGET_MS,
      target: 1,
      note: `${spread(bundleMs, 0)} ms in ${bundleMs.length} rounds, of which an empty Worker takes ${empty.toFixed()}`,
    },
  ];
}

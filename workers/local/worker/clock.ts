/** Milliseconds. A smaller step lengthens timers too little to matter. */
const MOST_BACK_MS = 5_000;
const LOOK_EACH_MS = 1_000;

/** Reports when this machine's clock was set back, and by how much. Timers and cached rights of workerd would last as much longer. */
export function onClockSetBack(report: (byMs: number) => void) {
  const lead = () => Date.now() - performance.now();
  let highestMs = lead();
  const timer = setInterval(() => {
    const nowMs = lead();
    const byMs = highestMs - nowMs;
    highestMs = byMs > MOST_BACK_MS ? nowMs : Math.max(highestMs, nowMs);
    if (byMs > MOST_BACK_MS) report(byMs);
  }, LOOK_EACH_MS).unref();
  return { stop: () => clearInterval(timer) };
}

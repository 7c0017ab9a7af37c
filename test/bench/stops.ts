const stops = new Set<() => Promise<void>>();

/** Stops once, at the latest when the bench is interrupted. */
export function stoppable(end: () => Promise<void>): () => Promise<void> {
  let ended: Promise<void> | undefined;
  const stop = () => {
    ended ??= end().finally(() => stops.delete(stop));
    return ended;
  };
  stops.add(stop);
  return stop;
}

export const stopAll = () => Promise.allSettled([...stops].map((stop) => stop()));

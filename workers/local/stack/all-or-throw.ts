/** Waits for all, so that no start is in flight when a failure stops the rest. */
export async function allOrThrow(work: Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
}

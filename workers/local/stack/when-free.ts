import { setTimeout as sleep } from "node:timers/promises";

/** Another start or command uses the data directory and will end by itself. */
export class Held extends Error {}

/** Milliseconds between two looks. */
const LOOK_EACH_MS = 250;

/**
 * Waits while another start or command uses the data directory, and calls `waits` once. Rejects when `signal`
 * aborts.
 */
export async function whenFree<T>(
  take: () => Promise<T>,
  { waits, signal }: { waits: (why: string) => void; signal?: AbortSignal },
): Promise<T> {
  for (let said = false; ; said = true) {
    try {
      return await take();
    } catch (error) {
      if (!(error instanceof Held)) throw error;
      if (!said) waits(error.message);
    }
    await sleep(LOOK_EACH_MS, undefined, { ...(signal && { signal }) });
  }
}

/**
 * One tab of a browser has a session. It holds a lock of the session's name, which the browser takes back when the
 * tab ends, however it ends. Without locks, as on an address without TLS, no tab knows of the others.
 */

const nameOf = (id: number) => `upload ${id}`;
const releases = new Map<number, () => void>();

async function ask<T>(
  id: number,
  options: LockOptions,
  use: (lock: Lock | null) => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await navigator.locks.request(nameOf(id), options, use);
  } catch {
    return undefined;
  }
}

/** Takes a session for this tab. Resolves to whether no other tab has it. */
export const hold = async (id: number): Promise<boolean> =>
  releases.has(id) ||
  new Promise((resolve) => {
    ask(id, { ifAvailable: true }, async (lock) => {
      resolve(Boolean(lock));
      if (lock) await new Promise<void>((release) => releases.set(id, release));
    }).then(() => resolve(true));
  });

export function letGo(id: number): void {
  releases.get(id)?.();
  releases.delete(id);
}

/** Tabs that only look do not meet each other: their locks are shared. */
export const isElsewhere = async (id: number): Promise<boolean> =>
  (await ask(id, { mode: "shared", ifAvailable: true }, Boolean)) === false;

export const whenFree = (id: number): Promise<void> => ask(id, { mode: "shared" }, () => {});

/**
 * One tab of a browser has a session. It holds a lock of the session's name, which the browser takes back when the
 * tab ends, however it ends. Without locks, as on an address without TLS, no tab knows of the others.
 */

const nameOf = (id) => `upload ${id}`;
const releases = new Map();

async function ask(id, options, use) {
  try {
    return await navigator.locks.request(nameOf(id), options, use);
  } catch {
    return undefined;
  }
}

/** Takes a session for this tab. Resolves to whether no other tab has it. */
export const hold = (id) =>
  releases.has(id) ||
  new Promise((resolve) => {
    ask(id, { ifAvailable: true }, (lock) => {
      resolve(Boolean(lock));
      return lock && new Promise((release) => releases.set(id, release));
    }).then(() => resolve(true));
  });

export function letGo(id) {
  releases.get(id)?.();
  releases.delete(id);
}

/** Tabs that only look do not meet each other: their locks are shared. */
export const isElsewhere = async (id) =>
  (await ask(id, { mode: "shared", ifAvailable: true }, Boolean)) === false;

export const whenFree = (id) => ask(id, { mode: "shared" }, () => {});

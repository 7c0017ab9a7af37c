/** Keeps what was typed until its track exists, for a reload or a closed browser. */

const PREFIX = "upload ";
/** Milliseconds. The API's sessions end after a day. */
const KEPT_MS = 48 * 3600 * 1000;

/** Same name, size and time of change: the same file. */
export const nameOf = ({ name, size, lastModified }) => `${name} ${size} ${lastModified}`;

export function keep(id, draft) {
  try {
    localStorage.setItem(PREFIX + id, JSON.stringify({ ...draft, at: Date.now() }));
  } catch {
    // Full or forbidden: only the typed words would be lost.
  }
}

export function kept(id) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + id) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

export function forget(id) {
  try {
    localStorage.removeItem(PREFIX + id);
    for (const name of Object.keys(localStorage)) {
      if (!name.startsWith(PREFIX)) continue;
      if (!(kept(name.slice(PREFIX.length))?.at > Date.now() - KEPT_MS)) localStorage.removeItem(name);
    }
  } catch {
    // Nothing is kept then.
  }
}

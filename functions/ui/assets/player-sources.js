import { ask, askPatiently } from "./player-patience.js";

/** Addresses and words of tracks, as /you/sources answers them. A track is known by its id and secret. */

/** Milliseconds. Addresses last for an hour at least. */
const KEPT_FOR_MS = 20 * 60_000;

/** Milliseconds between looks at a track that is being encoded. */
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 20_000;

export const keyOf = ({ id, secret }) => `${id} ${secret ?? ""}`;

const known = new Map();

/** Dispatches "change" with the key of a track that was encoded meanwhile. */
export const news = new EventTarget();

/** A page that shows a track brings its sources. */
export const learn = (track, sources) =>
  known.set(keyOf(track), { promise: Promise.resolve(sources), atMs: Date.now() });

/** Resolves to the sources of a track. Rejects with the reply's status, or without one if none came. */
export function sourcesOf(track, { fresh = false } = {}) {
  const key = keyOf(track);
  const cached = known.get(key);
  if (cached && !fresh && Date.now() - cached.atMs < KEPT_FOR_MS) return cached.promise;
  const promise = askFor(track);
  known.set(key, { promise, atMs: Date.now() });
  promise.then(
    // Its state changes soon.
    ({ state }) => state === "processing" && known.delete(key),
    () => known.delete(key),
  );
  return promise;
}

async function askFor({ id, secret }) {
  const query = secret ? `?${new URLSearchParams({ secret_token: secret })}` : "";
  const reply = await ask(`/you/sources/${id}${query}`, "application/json");
  if (!reply.ok) throw Object.assign(new Error("no sources"), { status: reply.status });
  return reply.json();
}

/** Resolves to the sources, or to a refusal's status. Asks on while nothing answers and `goesOn` allows it. */
export const awaitSources = (track, how, goesOn) =>
  askPatiently(() => sourcesOf(track, how), goesOn).then(
    (sources) => ({ sources }),
    ({ status }) => ({ status }),
  );

const followed = new Set();

/** Tells the news once the encode has ended, unless its track was deleted. Playback goes on meanwhile. */
export async function followEncode(track) {
  const key = keyOf(track);
  if (followed.has(key)) return;
  followed.add(key);
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 1.3, LONGEST_WAIT_MS)) {
    await new Promise((wake) => setTimeout(wake, waitMs));
    // A hidden page does not poll.
    if (document.hidden) continue;
    const { state, status } = await sourcesOf(track, { fresh: true }).catch((error) => error);
    if (status === 404) return void followed.delete(key);
    // An attempt that broke off is followed by another.
    if (state && state !== "growing" && state !== "processing") break;
  }
  followed.delete(key);
  news.dispatchEvent(new CustomEvent("change", { detail: key }));
}

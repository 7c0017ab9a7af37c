/** Timed comments on the waveform. Each is `{ at, by, text }`, `at` in milliseconds, sorted. */

/** Milliseconds for which one stays when playback reaches it. */
const STAYS_MS = 6000;

/** Returns the comment of this moment, or "". */
export function textAt(comments, seconds, isHeard) {
  if (!isHeard) return "";
  const atMs = seconds * 1000;
  const latest = comments.findLast(({ at }) => at <= atMs);
  return latest && atMs - latest.at < STAYS_MS ? `${latest.by}: ${latest.text}` : "";
}

export function showMarks(place, comments, lengthS) {
  place.replaceChildren(
    ...comments
      .filter(({ at }) => at <= lengthS * 1000)
      .map(({ at, by, text }) => {
        const mark = document.createElement("i");
        mark.style.left = `${at / lengthS / 10}%`;
        mark.title = `${by}: ${text}`;
        return mark;
      }),
  );
}

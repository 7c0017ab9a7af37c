/** Timed comments on the waveform. Each is `{ at, by, text }`, `at` in milliseconds, sorted. */

/** Milliseconds for which one stays when playback reaches it. */
const STAYS_MS = 6000;
/** Milliseconds that one has to itself while others wait. */
const TURN_MS = 1500;
/** Milliseconds behind its moment after which one is left out: it would be said of other music. */
const LATEST_MS = 9000;

/** Gives each comment the moment when it is shown, so that those of one second come one after another. */
export function inTurns(comments) {
  const turns = [];
  for (const comment of comments) {
    const from = Math.max(comment.at, (turns.at(-1)?.from ?? -TURN_MS) + TURN_MS);
    if (from <= comment.at + LATEST_MS) turns.push({ ...comment, from });
  }
  return turns;
}

/** Returns the comment of this moment, or "". `turns` are those of `inTurns`. */
export function textAt(turns, seconds, isHeard) {
  if (!isHeard) return "";
  const atMs = seconds * 1000;
  const latest = turns.findLast(({ from }) => from <= atMs);
  return latest && atMs - latest.from < STAYS_MS ? `${latest.by}: ${latest.text}` : "";
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

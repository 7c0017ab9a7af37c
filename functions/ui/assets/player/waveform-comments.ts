/** A comment on a moment of the track, as `inTurns` needs it. Lists of them are sorted. */
export interface TimedComment {
  /** Milliseconds. */
  at: number;
  by: string;
  text: string;
}

interface Turn extends TimedComment {
  /** Milliseconds from which it is shown. */
  from: number;
}

/** Milliseconds for which one stays when playback reaches it. */
const STAYS_MS = 6000;
/** Milliseconds that one has to itself while others wait. */
const TURN_MS = 1500;
/** Milliseconds behind its moment after which one is left out: it would be said of other music. */
const LATEST_MS = 9000;

/** Gives each comment the moment when it is shown, so that those of one second come one after another. */
export function inTurns(comments: TimedComment[]): Turn[] {
  const turns: Turn[] = [];
  for (const comment of comments) {
    const from = Math.max(comment.at, (turns.at(-1)?.from ?? -TURN_MS) + TURN_MS);
    if (from <= comment.at + LATEST_MS) turns.push({ ...comment, from });
  }
  return turns;
}

/** Returns the comment of this moment, or "". */
export function textAt(turns: Turn[], seconds: number, isHeard: boolean): string {
  if (!isHeard) return "";
  const atMs = seconds * 1000;
  const latest = turns.findLast(({ from }) => from <= atMs);
  return latest && atMs - latest.from < STAYS_MS ? `${latest.by}: ${latest.text}` : "";
}

/** Shows a dot for each comment of a track that is `lengthS` long. */
export function showComments(place: Element, comments: TimedComment[], lengthS: number): void {
  place.replaceChildren(
    ...comments
      .filter(({ at }) => at <= lengthS * 1000)
      .map(({ at, by, text }) => {
        const dot = document.createElement("i");
        dot.style.left = `${at / lengthS / 10}%`;
        dot.title = `${by}: ${text}`;
        return dot;
      }),
  );
}

import { textOf } from "../../lib/text/plain-text.ts";

interface Chapter {
  /** Seconds. */
  startTime: number;
  title: string;
}

/**
 * `0:00 Title`, `[1:02:03] Title`, `0:00 – Title`, `105:12 Title`, `00:00:00.000 Title`. Has one run of blanks: two
 * would take quadratic time.
 */
const LINE =
  /^\W{0,3}(?:(\d{1,2}):(?=[0-5]?\d:))?(\d{1,4}):([0-5]\d(?:[.,]\d{1,3})?)[\])]?(?:\s*[-–—:])?\s+(\S.*)/s;

const MIN_CHAPTERS = 2;

const secondsOf = (text = ""): number => Number(text.replace(",", "."));

/**
 * Reads chapters from description lines that begin with times: the first at 0:00, ascending, within the track.
 * Otherwise there are none.
 */
export function chaptersIn(description: string | null, durationMs: number): Chapter[] {
  if (!description?.includes(":")) return [];
  const chapters = textOf(description)
    .split("\n")
    .flatMap((line): Chapter[] => {
      const [, h, m, s, title] = LINE.exec(line.trim()) ?? [];
      if (title === undefined) return [];
      return [{ startTime: Number(h ?? 0) * 3600 + Number(m) * 60 + secondsOf(s), title }];
    });
  const inOrder = chapters.every(({ startTime }, n) =>
    n === 0 ? startTime === 0 : startTime > (chapters[n - 1]?.startTime ?? 0),
  );
  const fits = chapters.every(({ startTime }) => startTime * 1000 < durationMs);
  return chapters.length >= MIN_CHAPTERS && inOrder && fits ? chapters : [];
}

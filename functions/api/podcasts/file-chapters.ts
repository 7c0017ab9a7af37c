import type { Chapter } from "../../../db/schema/podcasts.ts";
import { foreignLine } from "../../lib/text/foreign-text.ts";
import { MAX_CHAPTERS, MAX_TITLE } from "./chapter-input.ts";
import { MIN_CHAPTERS } from "./chapters.ts";

/** A chapter of an audio file, as a transcoder reports it. */
interface Reported {
  /** Milliseconds. */
  start: number;
  end: number;
  title?: string | undefined;
  /** Number among the file's pictures. */
  picture?: number | undefined;
}

/**
 * The chapters that an audio file brings along, in order and within it. Null if they divide nothing. `versionOf` names a stored
 * picture by its number.
 */
export function chaptersOfFile(
  reported: Reported[],
  durationMs: number,
  versionOf: (picture: number) => string,
): Chapter[] | null {
  const within = reported
    .filter(({ start }) => start >= 0 && start < durationMs)
    .toSorted((a, b) => a.start - b.start)
    .filter(({ start }, at, all) => start !== all[at - 1]?.start)
    .slice(0, MAX_CHAPTERS);
  if (within.length < MIN_CHAPTERS) return null;
  return within.map(({ start, end, title, picture }, at) => {
    const line = foreignLine(title, MAX_TITLE);
    const next = within[at + 1]?.start ?? durationMs;
    return {
      start,
      ...(end > start && end < next && { end }),
      ...(line && { title: line }),
      ...(picture !== undefined && { picture: versionOf(picture) }),
    };
  });
}

/** Texts that others wrote into files and feeds, made fit to store: what is no text is dropped, and what is too long is cut. */

/** Characters that no column or page holds, and those that would reverse a text. */
const UNFIT = /[^\P{Cc}\t\n\r]|[\u202A-\u202E\u2066-\u2069]/gu;

export const foreignText = (text: string, most: number): string =>
  text.toWellFormed().replace(UNFIT, "").trim().slice(0, most).toWellFormed().trim();

/** A single line. Null if nothing is left. */
export const foreignLine = (text: string | undefined, most: number): string | null =>
  foreignText((text ?? "").replace(/\s+/g, " "), most) || null;

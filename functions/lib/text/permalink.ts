import { slug } from "./slug.ts";

/** Whether a slug would drop letters or digits: non-Latin ones, and `ß`. */
export const hasOtherLetters = (text: string): boolean =>
  /[\p{L}\p{N}]/u.test(text.normalize("NFKD").replace(/\p{M}|\p{ASCII}/gu, ""));

/** Romanizes text for an address: `Юля` becomes `yulya`. Returns "" if nothing is left, as with emoji. */
export async function romanized(text: string): Promise<string> {
  if (!hasOtherLetters(text)) return slug(text);
  // Imported on demand: its table takes a tenth of a second to build.
  const { transliterate } = await import("transliteration");
  return slug(transliterate(text.normalize("NFKC")));
}

/** Ids are numbers of 15 digits or more (`next_id`). Shorter ones are names, such as `1975`. */
export const looksLikeId = (text: string): boolean => /^\d{10,}$/.test(text);

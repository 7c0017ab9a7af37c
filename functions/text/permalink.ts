import { slug } from "./slug.ts";

/** Whether a slug would leave letters or digits out: those of another script, and `ß`. */
export const hasOtherLetters = (text: string): boolean =>
  /[\p{L}\p{N}]/u.test(text.normalize("NFKD").replace(/\p{M}|\p{ASCII}/gu, ""));

/** Words of any script as an address may hold them: `Юля` is `yulya`. Empty where nothing is left, of emoji say. */
export async function romanized(text: string): Promise<string> {
  if (!hasOtherLetters(text)) return slug(text);
  // Its table takes a tenth of a second to build: isolates that need none do without.
  const { transliterate } = await import("transliteration");
  return slug(transliterate(text.normalize("NFKC")));
}

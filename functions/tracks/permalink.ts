import { romanized } from "../text/permalink.ts";
import { isReserved } from "../text/reserved.ts";

/** Falls back to `track`. Reserved words, such as `sets`, would hide a page. */
export async function permalinkOf(title: string): Promise<string> {
  const words = await romanized(title);
  return !words || isReserved(words) ? `track${words && `-${words}`}` : words;
}

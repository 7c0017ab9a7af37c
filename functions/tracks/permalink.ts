import { romanized } from "../text/permalink.ts";
import { isReserved } from "../text/reserved.ts";

/** A title without letters or digits is called `track`. A reserved word would hide a page, `/{user}/sets` say. */
export async function permalinkOf(title: string): Promise<string> {
  const words = await romanized(title);
  return !words || isReserved(words) ? `track${words && `-${words}`}` : words;
}

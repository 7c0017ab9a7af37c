import { isReserved } from "../accounts/reserved.ts";
import { slug } from "../http/slug.ts";

/** What has no ASCII letter or digit is called `track`. A reserved word would hide a page, `/{user}/sets` say. */
export function permalinkOf(title: string): string {
  const words = slug(title);
  return !words || isReserved(words) ? `track${words && `-${words}`}` : words;
}

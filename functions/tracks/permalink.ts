import { isReserved } from "../accounts/reserved.ts";
import { text } from "../http/fields.ts";
import { slug } from "../http/slug.ts";

/** What has no ASCII letter or digit is called `track`. A reserved word would hide a page, `/{user}/sets` say. */
export function permalinkOf(title: string): string {
  const words = slug(title);
  return !words || isReserved(words) ? `track${words && `-${words}`}` : words;
}

export const Permalink = text(100)
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$/, "may have letters, digits, and between them - and _")
  .toLowerCase()
  .refine((word) => !isReserved(word), "is reserved")
  .describe("Last part of `permalink_url`; unique among your tracks.");

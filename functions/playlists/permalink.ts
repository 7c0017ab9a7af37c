import { slug } from "../http/slug.ts";

/** Below `/{user}/sets` no word is taken. */
export const permalinkOf = (title: string): string => slug(title) || "playlist";

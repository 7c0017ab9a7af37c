import { romanized } from "../text/permalink.ts";

/** Below `/{user}/sets` no word is taken. */
export const permalinkOf = async (title: string): Promise<string> => (await romanized(title)) || "playlist";

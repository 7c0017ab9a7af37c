import { romanized } from "../text/permalink.ts";

/** No reserved words are needed below `/{user}/sets`. */
export const permalinkOf = async (title: string): Promise<string> => (await romanized(title)) || "playlist";

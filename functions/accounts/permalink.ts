import { randomBase62 } from "../security/random.ts";
import { hasOtherLetters, romanized } from "../text/permalink.ts";
import { isReserved } from "../text/reserved.ts";

export interface Permalinks {
  permalink: string;
  /** Takes its place where it is taken. Null where that means that the username is taken. */
  spare: string | null;
}

const MIN_LENGTH = 2;

/**
 * The address of a profile, made once of the username. One of Latin letters is as good as its name; in other scripts many names
 * have one romanization (李, 丽 and 力 are `li`), so that it may be taken while the name is not.
 */
export async function permalinksOf(username: string): Promise<Permalinks> {
  const words = await romanized(username);
  const random = randomBase62(7).toLowerCase();
  if (words.length < MIN_LENGTH || isReserved(words))
    return { permalink: words ? `${words}-${random}` : `user-${random}`, spare: null };
  return { permalink: words, spare: hasOtherLetters(username) ? `${words}-${random}` : null };
}

import { randomBase62 } from "../../lib/security/random.ts";
import { hasOtherLetters, looksLikeId, romanized } from "../../lib/text/permalink.ts";
import { isReserved } from "../../lib/text/reserved.ts";

interface Permalinks {
  permalink: string;
  /** Replaces a taken `permalink`. If null, the username counts as taken. */
  spare: string | null;
}

const MIN_LENGTH = 2;

/**
 * Makes a profile's permalink from the username, once. A Latin name and its permalink are taken together.
 * Names of other scripts share romanizations (李, 丽 and 力 are `li`), so they need a spare.
 */
export async function permalinksOf(username: string): Promise<Permalinks> {
  const words = await romanized(username);
  const random = randomBase62(7).toLowerCase();
  if (words.length < MIN_LENGTH || isReserved(words) || looksLikeId(words))
    return { permalink: words ? `${words}-${random}` : `user-${random}`, spare: null };
  return { permalink: words, spare: hasOtherLetters(username) ? `${words}-${random}` : null };
}

/** A place in the docs that the search finds. */
export interface Entry {
  title: string;
  /** Title of the page, or an operation's method and path. */
  within: string;
  path: string;
  text: string;
}

const MOST = 20;

/** The entries that hold every word, or its beginning. Titles come before texts. */
export function find(entries: readonly Entry[], words: string): Entry[] {
  const sought = wordsOf(words);
  if (sought.length === 0) return [];
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, sought) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ entry }) => entry);
}

function scoreOf({ title, within, text }: Entry, sought: string[]): number {
  const [inTitle, inPlace, inText] = [title, within, text].map(wordsOf);
  let score = 0;
  for (const word of sought) {
    const begins = (other: string) => other.startsWith(word);
    if (inTitle?.some(begins)) score += 10;
    else if (inPlace?.some(begins)) score += 5;
    else if (inText?.some(begins)) score += 1;
    else return 0;
  }
  // A shorter title says more among equal matches.
  return score + 1 / (1 + title.length);
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

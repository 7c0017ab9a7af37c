/** A place in the docs that the search finds. */
export interface Entry {
  title: string;
  /** Title of the page, or an operation's method and path. */
  within: string;
  path: string;
  text: string;
  /** Guides explain, so they come before operations, those before errors, and names of schemas last. */
  weight: number;
}

const MOST = 20;

/** The entries that hold every word, or its beginning. Titles come before texts. */
export function search(entries: readonly Entry[], words: string): Entry[] {
  const sought = wordsOf(words);
  if (sought.length === 0) return [];
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, sought) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ entry }) => entry);
}

/** A text that speaks of a word often is about it. More often than this tells nothing. */
const MOST_TIMES = 5;

function scoreOf({ title, within, text, weight }: Entry, sought: string[]): number {
  const [inTitle, inPlace, inText] = [title, within, text].map(wordsOf);
  let score = weight;
  for (const word of sought) {
    const begins = (other: string) => other.startsWith(word);
    const times = inText?.filter(begins).length ?? 0;
    if (inTitle?.includes(word) || inTitle?.includes(`${word}s`)) score += 12;
    else if (inTitle?.some(begins)) score += 10;
    else if (inPlace?.some(begins)) score += 5;
    else if (times > 0) score += (1 + Math.min(times, MOST_TIMES)) / 2;
    else return 0;
  }
  // A shorter title says more among equal matches. What only the text has keeps the order of the pages.
  return inTitle?.some((other) => sought.some((word) => other.startsWith(word)))
    ? score + 1 / (1 + title.length)
    : score;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** Edits that make one word of another: letters added, removed, replaced, or two that changed places. */
function editsBetween(a: string, b: string): number {
  let [beforeLast, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (beforeLast[j - 2] ?? 0) + 1 : replaced;
      row.push(Math.min(replaced, swapped, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}

/** Characters. The work grows with the square of a word. */
const LONGEST = 40;

/** The names that somebody who mistyped a word may have meant, the nearest first: a third of it may be wrong. */
export function nearestTo(word: string, names: readonly string[]): string[] {
  if (word.length > LONGEST) return [];
  const most = Math.floor(word.length / 3);
  return names
    .map((name) => ({ name, edits: editsBetween(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ edits }) => edits <= most)
    .sort((a, b) => a.edits - b.edits)
    .map(({ name }) => name);
}

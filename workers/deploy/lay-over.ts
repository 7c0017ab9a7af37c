export type Table = Record<string, unknown>;

/** Merges tables, and entries of lists that bear one name. All else is replaced, routes and crons as well. */
export function laidOver(base: unknown, over: unknown): unknown {
  if (isTable(base) && isTable(over)) {
    const changed = Object.entries(over).map(([key, value]) => [key, laidOver(base[key], value)]);
    return { ...base, ...Object.fromEntries(changed) };
  }
  if (!isListOfNamed(base) || !isListOfNamed(over)) return over;
  const nameless = over.filter((entry) => !base.some((other) => nameOf(other) === nameOf(entry)));
  const changed = base.map((entry) => {
    const found = over.find((other) => nameOf(other) === nameOf(entry));
    return found ? laidOver(entry, found) : entry;
  });
  return [...changed, ...nameless];
}

export const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const nameOf = ({ binding, class_name, queue, name }: Table) => binding ?? class_name ?? queue ?? name;

const isListOfNamed = (value: unknown): value is Table[] =>
  Array.isArray(value) && value.every((entry) => isTable(entry) && nameOf(entry) !== undefined);

import type { Statement } from "./deadline.ts";
import { isFunctionMissing } from "./faults.ts";
import type { Reading } from "./stored-select.ts";

/** Functions that this isolate found missing: the migrator has yet to make them. */
const missing = new Set<string>();

/** Sends calls of stored selects by `ask`, or the selects themselves if a function is missing. */
export async function askStored<Answer>(
  readings: readonly Reading<unknown>[],
  ask: (statements: Statement[]) => Promise<Answer>,
): Promise<Answer> {
  const asPlanned = () => ask(readings.map(({ planned }) => planned()));
  const names = readings.flatMap((reading) => reading.names);
  if (names.some((name) => missing.has(name))) return asPlanned();
  try {
    return await ask(readings.map(({ statement }) => statement()));
  } catch (error) {
    if (names.length === 0 || !isFunctionMissing(error)) throw error;
    for (const name of names) missing.add(name);
    return asPlanned();
  }
}

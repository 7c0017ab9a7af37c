import { openDatabase } from "../../db/client.ts";
import { noteCondition } from "../../db/queries/status-history.ts";
import { readCondition } from "../../functions/api/health/condition.ts";
import type { Env } from "../../functions/lib/http/env.ts";

/** Seconds by day for which the database failed, so that nothing could be written. An isolate that ends forgets them. */
const unwritten = new Map<string, number>();

/** Measures the service as people meet it, for the history of `/status`. */
export async function measureCondition(env: Env, everyS: number): Promise<void> {
  const db = openDatabase(env);
  const measured = await readCondition(db, env);
  if (measured.some(({ part, condition }) => part === "database" && condition === "fails"))
    return rememberFailure({ day: today(), seconds: everyS });
  const failures = Array.from(unwritten, ([day, seconds]) => ({ day, seconds }));
  // A run at the same time must not write them once more.
  unwritten.clear();
  try {
    await noteCondition(db, { measured, unwritten: failures, everyS });
  } catch (error) {
    for (const failure of [...failures, { day: today(), seconds: everyS }]) rememberFailure(failure);
    throw error;
  }
}

const today = () => new Date().toISOString().slice(0, 10);

function rememberFailure({ day, seconds }: { day: string; seconds: number }): void {
  unwritten.set(day, (unwritten.get(day) ?? 0) + seconds);
}

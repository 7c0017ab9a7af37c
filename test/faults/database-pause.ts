import { setTimeout as sleep } from "node:timers/promises";
import { childrenOf } from "../../workers/local/stack/processes.ts";

/** Stops every process of a PostgreSQL server for a while, like a starved or migrated machine. */
export async function pauseDatabase(postmaster: number, seconds: number): Promise<void> {
  const all = [postmaster, ...childrenOf(postmaster)];
  const signal = (name: NodeJS.Signals) => {
    for (const pid of all) {
      try {
        process.kill(pid, name);
      } catch {
        // The process ended meanwhile.
      }
    }
  };
  signal("SIGSTOP");
  try {
    await sleep(seconds * 1000);
  } finally {
    signal("SIGCONT");
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import { childrenOf } from "../../../workers/local/processes.ts";

/** Every process of a PostgreSQL server, stopped for a while as by a machine that is starved or moved. */
export async function pauseDatabase(postmaster: number, seconds: number): Promise<void> {
  const all = [postmaster, ...childrenOf(postmaster)];
  const signal = (name: NodeJS.Signals) => {
    for (const pid of all) {
      try {
        process.kill(pid, name);
      } catch {
        // Ended between the two lines.
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

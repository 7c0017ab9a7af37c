import { connect } from "node:net";
import { DatabaseUnreachable, databaseFault } from "./faults.ts";

/** `repeatable` marks reads and statements that recognize their own repetition. */
export type Sending = "once" | "repeatable";

/** Retries after a deadlock or a serialization failure, which leave nothing behind. */
const MAX_ROLLBACKS = 3;
/** Milliseconds. */
const PAUSE_MS = 20;
const CONNECT_TIMEOUT_MS = 1_000;

/** Retries a statement after faults that allow it. The error thrown shows whether the statement may have run. */
export async function sendPersistently<Result>(
  statement: () => Promise<Result>,
  sending: Sending,
  endpoint: () => string | undefined,
): Promise<Result> {
  let [rollbacks, sentAgain, wasLate] = [0, false, false];
  for (;;) {
    try {
      return await statement();
    } catch (error) {
      const kind = databaseFault(error)?.kind;
      if (kind === "rolled_back" && rollbacks++ < MAX_ROLLBACKS) await pause(rollbacks);
      // The report itself proves that the database answers again. Our clock is corrected by now.
      else if (kind === "late" && !wasLate) wasLate = true;
      else if (sending === "repeatable" && !sentAgain && (kind === "unavailable" || kind === "lost"))
        sentAgain = true;
      else if (kind === "lost" && (await isRefusing(endpoint()))) throw new DatabaseUnreachable(error);
      else throw error;
    }
  }
}

/** Jitter keeps statements that collided from colliding again. */
const pause = (turn: number) =>
  new Promise((resolve) => setTimeout(resolve, PAUSE_MS * turn * (0.5 + Math.random())));

/**
 * Checks whether connections are refused. `fetch` reports a refused connection and one that broke later alike. Only
 * refusal proves that nothing was done. A transport without an endpoint tells them apart itself.
 */
function isRefusing(endpoint: string | undefined): Promise<boolean> | false {
  if (endpoint === undefined) return false;
  const { hostname, port, protocol } = new URL(endpoint);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || (protocol === "https:" ? 443 : 80)) });
    const answer = (refused: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(refused);
    };
    const timer = setTimeout(() => answer(true), CONNECT_TIMEOUT_MS);
    socket.once("connect", () => answer(false)).on("error", () => answer(true));
  });
}

import { connect } from "node:net";
import { DatabaseUnreachable, databaseFault } from "./faults.ts";

/** `repeatable`: a statement that only reads, or that knows its own repetition. */
export type Sending = "once" | "repeatable";

/** After a deadlock or a serialization failure, of which nothing is left. */
const MAX_ROLLBACKS = 3;
/** Milliseconds. */
const PAUSE_MS = 20;
const CONNECT_PATIENCE_MS = 1_000;

/** A statement through what can be got over. What is thrown tells whether it may have been carried out. */
export async function persistently<Result>(
  statement: () => Promise<Result>,
  sending: Sending,
  endpoint: () => string,
): Promise<Result> {
  let [rollbacks, sentAgain, wasLate] = [0, false, false];
  for (;;) {
    try {
      return await statement();
    } catch (error) {
      const kind = databaseFault(error)?.kind;
      if (kind === "rolled_back" && rollbacks++ < MAX_ROLLBACKS) await pause(rollbacks);
      // The database has told so: it answers again, and was set right where only its clock was another.
      else if (kind === "late" && !wasLate) wasLate = true;
      else if (sending === "repeatable" && !sentAgain && (kind === "unavailable" || kind === "lost"))
        sentAgain = true;
      else if (kind === "lost" && !(await listens(endpoint()))) throw new DatabaseUnreachable(error);
      else throw error;
    }
  }
}

/** Spread, so that those who met do not meet again. */
const pause = (turn: number) =>
  new Promise((resolve) => setTimeout(resolve, PAUSE_MS * turn * (0.5 + Math.random())));

/**
 * `fetch` says the same of a connection that was refused and of one that broke after the statement was through. Only
 * where nobody listens was nothing done.
 */
function listens(endpoint: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(endpoint);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || (protocol === "https:" ? 443 : 80)) });
    const answer = (heard: boolean) => {
      clearTimeout(patience);
      socket.destroy();
      resolve(heard);
    };
    const patience = setTimeout(() => answer(false), CONNECT_PATIENCE_MS);
    socket.once("connect", () => answer(true)).on("error", () => answer(false));
  });
}

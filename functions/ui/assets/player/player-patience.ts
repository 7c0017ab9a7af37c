import { statusOf } from "./player-trouble.ts";

/** Milliseconds between attempts to reach the service, such as on a train in a tunnel: a minute in all. */
const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

/** Milliseconds until a service that has accepted a question, and says nothing, counts as unreached. */
const ANSWERS_IN_MS = 20_000;

/** Milliseconds between looks at a track that is being encoded. */
const FIRST_LOOK_MS = 2_000;
const LONGEST_LOOK_MS = 20_000;

/** Fetches, and rejects with the status of a reply that refuses. */
export async function ask(address: string, type: string): Promise<Response> {
  const reply = await fetch(address, {
    // A page of the accounts' host asks the site for what its reader may hear.
    credentials: "include",
    headers: { Accept: type },
    signal: AbortSignal.timeout(ANSWERS_IN_MS),
  });
  if (!reply.ok) throw Object.assign(new Error("refused"), { status: reply.status });
  return reply;
}

/**
 * Repeats `question` while nothing answers, or the service only says that it is down. `goesOn` hears of each such failure and
 * tells whether the answer is still wanted.
 */
export async function askPatiently<T>(question: () => Promise<T>, goesOn: () => boolean): Promise<T> {
  for (const waitMs of WAITS_MS) {
    try {
      return await question();
    } catch (error) {
      if ((statusOf(error) ?? 503) < 500 || !goesOn()) throw error;
    }
    await untilConnected(waitMs);
  }
  return question();
}

/** Ends early when the browser has a connection again. */
const untilConnected = (waitMs: number) =>
  new Promise<void>((wake) => {
    const woken = new AbortController();
    const end = () => {
      woken.abort();
      wake();
    };
    addEventListener("online", end, { signal: woken.signal });
    setTimeout(end, waitMs);
  });

/** Resolves once the track's encode has ended, or to `undefined` when the track is gone or `goesOn` says so. */
export async function untilEncoded<T extends { state: string }>(
  question: () => Promise<T>,
  goesOn = () => true,
): Promise<T | undefined> {
  for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(waitMs * 1.3, LONGEST_LOOK_MS)) {
    await new Promise((wake) => setTimeout(wake, waitMs));
    if (!goesOn()) return undefined;
    // A hidden page does not poll.
    if (document.hidden) continue;
    const answer = await question().catch(statusOf);
    if (answer === 404 || !goesOn()) return undefined;
    // An attempt that broke off is followed by another.
    if (typeof answer === "object" && answer.state !== "growing" && answer.state !== "processing")
      return answer;
  }
}

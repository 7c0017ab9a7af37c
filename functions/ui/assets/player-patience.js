/** Milliseconds between attempts to reach the service, such as on a train in a tunnel: a minute in all. */
const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

/** Milliseconds until a service that has accepted a question, and says nothing, counts as unreached. */
const ANSWERS_IN_MS = 20_000;

export const ask = (address, type) =>
  fetch(address, { headers: { Accept: type }, signal: AbortSignal.timeout(ANSWERS_IN_MS) });

/**
 * Repeats `question` while nothing answers, or the service only says that it is down. `goesOn` hears of each such failure and
 * tells whether the answer is still wanted.
 */
export async function askPatiently(question, goesOn) {
  for (const waitMs of WAITS_MS) {
    try {
      return await question();
    } catch (error) {
      if (error.status < 500 || !goesOn()) throw error;
    }
    await untilConnected(waitMs);
  }
  return question();
}

/** Ends early when the browser has a connection again. */
const untilConnected = (waitMs) =>
  new Promise((wake) => {
    const woken = new AbortController();
    const end = () => {
      woken.abort();
      wake();
    };
    addEventListener("online", end, { signal: woken.signal });
    setTimeout(end, waitMs);
  });

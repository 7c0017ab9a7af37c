import pg from "pg";
import { type Bench, type Figure, median, spread } from "./bench.ts";
import { createPerson } from "./people.ts";
import { startPlainWorker } from "./plain-worker.ts";
import { send } from "./race.ts";
import { withStack } from "./stack.ts";

const ROUNDS = 15;
const FLOOD = 50;
const READS = 400;
/** Limits on what a refusal reveals of an account, and on the wait of a reader beside a flood of guesses. */
const [ALIKE, READERS] = [2, 5];

type SignIn = (email: string) => Promise<number>;

/** Opens the page and sends its form with a wrong password. Returns the milliseconds that the form took. */
function signingIn(port: number): SignIn {
  const site = `http://localhost:${port}`;
  return async (email) => {
    const page = await fetch(`${site}/signin`);
    const cookie = page.headers.getSetCookie().map((one) => one.split(";")[0]);
    const form = (await page.text()).split("<form ").find((part) => part.includes('action="/signin"')) ?? "";
    const hidden = [
      ...form.slice(0, form.indexOf("</form>")).matchAll(/<input[^>]*type="hidden"[^>]*>/g),
    ].map(([input]) => [/name="([^"]*)"/.exec(input)?.[1] ?? "", /value="([^"]*)"/.exec(input)?.[1] ?? ""]);
    const startedAt = performance.now();
    const reply = await fetch(`${site}/signin`, {
      method: "POST",
      body: new URLSearchParams([...hidden, ["email", email], ["password", "not the password"]]),
      headers: { Cookie: cookie.join("; ") },
      redirect: "manual",
    });
    await reply.text();
    if (reply.status !== 422 && reply.status !== 429) throw new Error(`POST /signin: ${reply.status}`);
    return performance.now() - startedAt;
  };
}

const figure = (
  words: Pick<Figure, "what" | "over" | "target">,
  ours: number[],
  floor: number[],
): Figure => ({
  row: "sign-in",
  unit: "ms",
  ours: median(ours),
  floor: median(floor),
  ratio: median(ours) / median(floor),
  ...words,
  note: `${spread(ours, 0)} over ${spread(floor, 0)} ms in ${ours.length} rounds`,
});

/** Row `sign-in`: a wrong password of an account over that of none, and readers beside a flood of guesses. */
export const signIn = (bench: Bench): Promise<Figure[]> =>
  withStack(bench, async (stack) => {
    const person = await createPerson(stack);
    const email = `${(await person.call<{ username: string }>("GET", "/me")).username}@example.com`;
    const headers = { Authorization: `OAuth ${await person.token()}` };
    const { port, stop } = await startPlainWorker(stack);
    const database = new pg.Client({ connectionString: stack.databaseUrl });
    await database.connect();
    const forget = () => database.query("delete from failures");
    const readMs = async () =>
      (await send({ port, path: "/me", headers, requests: READS, connections: 1 })).p95Ms;
    try {
      const attempt = signingIn(port);
      const times = {
        known: [] as number[],
        unknown: [] as number[],
        before: [] as number[],
        during: [] as number[],
      };
      for (let round = 0; round < (bench.quick ? 3 : ROUNDS); round++) {
        await forget();
        times.known.push(await attempt(email));
        times.unknown.push(await attempt(`nobody-${round}@example.com`));
        times.before.push(await readMs());
        await forget();
        const flood = Array.from({ length: FLOOD }, () => attempt(email));
        times.during.push(await readMs());
        await Promise.all(flood);
      }
      return [
        figure(
          { what: "A sign-in to no account", over: "one to an account", target: ALIKE },
          times.unknown,
          times.known,
        ),
        figure(
          { what: `GET /me among ${FLOOD} guesses at a password, p95`, over: "before", target: READERS },
          times.during,
          times.before,
        ),
      ];
    } finally {
      await database.end();
      await stop();
    }
  });

import { afterAll, beforeAll, expect, test } from "vitest";
import { expectFiveLookedAt } from "../attacks/guesses.ts";
import { Browser, createMember, hiddenFields, PASSWORD, signIn, uniqueName } from "../support/browser.ts";
import { invariantsHoldAfterwards } from "../support/check-invariants.ts";
import { createUser } from "../support/people.ts";
import { isFull, repeats } from "../support/repeats.ts";
import { startSecondWorker } from "../support/second-worker.ts";
import { sql } from "../support/stack.ts";
import { createPlayableTrack } from "../support/tracks.ts";

invariantsHoldAfterwards();

const WRONG = "not the password";
/** Each takes the Worker's only thread for a hash. */
const GUESSES = repeats(12, 25);

/** Hashes at the cost of a deployment. The Worker that the tests share hashes cheaply. */
let worker: Awaited<ReturnType<typeof startSecondWorker>>;

beforeAll(async () => {
  worker = await startSecondWorker(() => ({ CHEAP_PASSWORDS: "off" }));
});
afterAll(() => worker.stop());

const open = () => new Browser(undefined, undefined, String(worker.port));

test("an unknown account costs the same work and gets the same reply (O32, X71)", async () => {
  const { id, email } = await createMember();
  // Rehashes the password at the usual cost.
  expect((await signIn(open(), email)).status).toBe(303);
  for (let round = 0; round < 2; round++) {
    for (const who of ["known", "unknown"] as const) {
      const browser = open();
      const fields = hiddenFields((await browser.get("/signin")).html, "/signin");
      await sql("delete from failures where bucket = $1", [`password ${id}`]);
      const startedAt = performance.now();
      const reply = await browser.post("/signin", {
        ...fields,
        email: who === "known" ? email : `${uniqueName()}@example.com`,
        password: "not the password",
      });
      // Hashing alone takes longer. Without it the reply comes in a few milliseconds.
      expect([who, performance.now() - startedAt]).toEqual([who, expect.toSatisfy((ms: number) => ms > 50)]);
      expect([who, reply.status, reply.headers["server-timing"]?.split(";").at(-1)]).toEqual([
        who,
        422,
        'desc="queries: 1"',
      ]);
    }
  }
});

test("a password hashed at another cost is rehashed at its next use", async () => {
  const { id, email } = await createMember();
  const { scryptSync } = await import("node:crypto");
  const key = scryptSync(PASSWORD, "saltsaltsaltsalt", 32, { N: 1024, r: 8, p: 1 });
  const old = `$scrypt$ln=10,r=8,p=1$c2FsdHNhbHRzYWx0c2FsdA$${key.toString("base64").replaceAll("=", "")}`;
  await sql("update accounts set password_hash = $2 where user_id = $1", [id, old]);
  expect((await signIn(open(), email)).status).toBe(303);
  const [row] = await sql<{ password_hash: string }>(
    "select password_hash from accounts where user_id = $1",
    [id],
  );
  expect(row?.password_hash).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$/);
  expect((await signIn(open(), email)).status).toBe(303);
});

/** Reads a track repeatedly until `ended`. Returns how often. */
async function readers(ended: () => boolean): Promise<() => Promise<number>> {
  const [reader, track] = [await createUser(), await createPlayableTrack(await createUser())];
  const headers = { Authorization: `OAuth ${reader.token}` };
  return async () => {
    let reads = 0;
    for (; !ended(); reads++) {
      const reply = await fetch(worker.at(`/tracks/${track.id}`), { headers });
      expect(reply.status).toBe(200);
      await reply.arrayBuffer();
    }
    return reads;
  };
}

test("five of fifty concurrent sign-ins are checked, and the rest are limited (F60)", async () => {
  const { email } = await createMember();
  const place = open();
  const replies = await Promise.all(
    Array.from({ length: 50 }, () => signIn(place.neighbour(), email, WRONG)),
  );
  expectFiveLookedAt(
    replies.map(({ status }) => status),
    422,
  );
});

test("concurrent guesses at as many accounts are checked in turn, and readers are served (F60)", async () => {
  let ended = false;
  const read = await readers(() => ended);
  const place = open();
  const flood = Array.from({ length: GUESSES }, () =>
    signIn(place.neighbour(), `${uniqueName()}@example.com`, WRONG),
  );
  const [reads, replies] = await Promise.all([
    read(),
    Promise.all(flood).finally(() => {
      ended = true;
    }),
  ]);
  // On a busy machine several hashes in a row may exceed the deadline.
  for (const { status } of replies) expect([422, 429, 504]).toContain(status);
  expect(replies.map(({ status }) => status)).toContain(422);
  // One that had waited behind the flood would be the only one.
  expect(reads).toBeGreaterThan(2);
});

// It hashes for fifteen seconds. `units/hash-turns.test.ts` always tests the queue.
test.runIf(isFull)(
  "a crowd at the sign-in spends none of an owner's attempts, nor of who signs up",
  async () => {
    const { id, email } = await createMember();
    const browsers = Array.from({ length: 110 }, () => open());
    const crowd = browsers.map((each) => signIn(each, `${uniqueName()}@example.com`, WRONG));
    const tried: number[] = [];
    // The queue is full once somebody is refused.
    await Promise.any(crowd.map(async (sent) => expect((await sent).status).toBe(429)));
    const account = { username: uniqueName(), email: `${uniqueName()}@example.com`, password: PASSWORD };
    const { status, headers } = await open().submit("/signup", "/signup", account);
    expect([status, headers.ratelimit]).toEqual([429, undefined]);
    for (let tries = 0; tries < 6; tries++) tried.push((await signIn(open(), email)).status);
    expect(tried).toContain(429);
    await Promise.all(crowd);
    const spent = await sql("select 1 from failures where starts_with(bucket, 'password ' || $1)", [
      String(id),
    ]);
    expect(spent).toEqual([]);
  },
);

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { locked, someoneWaits, waiting } from "../auth/oauth/table-lock.ts";
import { times } from "../support/oauth.ts";
import { pauseDatabase } from "./database-pause.ts";
import { type FaultyStack, startFaultyStack } from "./faulty-stack.ts";

/**
 * Seconds, and repeats of each. `PAUSES=1,6,30 PAUSE_REPEATS=20` is the full measurement, half an hour long.
 */
const PAUSES = (process.env.PAUSES ?? "1,6").split(",").map(Number);
const REPEATS = Number(process.env.PAUSE_REPEATS ?? 1);
const SESSIONS = 5;

let faulty: FaultyStack;
let { auth, database } = {} as FaultyStack;

beforeAll(async () => {
  faulty = await startFaultyStack({}, 0);
  ({ auth, database } = faulty);
});
afterEach(() => database.up());
afterAll(() => faulty.stop());

const pause = (seconds: number) =>
  pauseDatabase(faulty.stack.pids().postgres ?? expect.unreachable(), seconds);

type Family = Awaited<ReturnType<typeof auth.signedIn>>;

const rowsOf = async ({ app }: Family) => {
  const [counted] = await auth.sql<{ tokens: number; unused: number; ended: number }>(
    `select count(*)::int as tokens, count(*) filter (where r.consumed_at is null)::int as unused,
       count(distinct s.id) filter (where s.revoked_at is not null)::int as ended
     from sessions s join refresh_tokens r on r.session_id = s.id where s.app_id = $1`,
    [app.id],
  );
  return counted;
};

/** Refreshes continuously. After 503 or 504 it repeats the same token, as clients must. */
async function walk({ app, tokens }: Family, isOver: () => boolean) {
  let { refresh_token } = tokens;
  const seen: Record<number, number> = {};
  for (let unsettled = false; unsettled || !isOver(); ) {
    const { status, body } = await auth.refresh(app, refresh_token);
    seen[status] = (seen[status] ?? 0) + 1;
    if (status === 200) refresh_token = body.refresh_token;
    else if (status < 500) return { seen, lost: true, refresh_token };
    unsettled = status !== 200;
    // Creates at most ten spent tokens before the next pause, because the database keeps twenty.
    await sleep(unsettled ? 50 : 150);
  }
  return { seen, lost: false, refresh_token };
}

test.for(PAUSES)(
  "sessions survive a database that pauses for %i s, and each holds its valid token",
  { timeout: REPEATS * 120_000 },
  async (seconds) => {
    const totals: Record<string, number> = {};
    for (let round = 0; round < REPEATS; round++) {
      const families = await times(SESSIONS, () => auth.signedIn());
      let over = false;
      const walks = Promise.all(families.map((family) => walk(family, () => over)));
      await sleep(200 + Math.random() * 400);
      await pause(seconds);
      await sleep(500);
      over = true;
      const ended = await walks;
      for (const { seen } of ended)
        for (const [status, count] of Object.entries(seen)) totals[status] = (totals[status] ?? 0) + count;
      expect(ended.map(({ lost }) => lost)).toEqual(Array(SESSIONS).fill(false));
      for (const [index, family] of families.entries()) {
        const { seen, refresh_token } = ended[index] ?? expect.unreachable();
        // One row per token returned and no other: a refresh answered 504 was rolled back.
        expect(await rowsOf(family)).toEqual({ tokens: 1 + (seen[200] ?? 0), unused: 1, ended: 0 });
        expect((await auth.refresh(family.app, refresh_token)).status).toBe(200);
      }
    }
    if (REPEATS > 1) console.log(`${seconds} s, ${REPEATS} times ${SESSIONS} sessions:`, totals);
  },
);

test("statements that waited in a paused database's sockets are rolled back, and the code still works", async () => {
  const { form, app } = await auth.createGrant();
  const family = await auth.signedIn();
  const over = pause(8);
  await sleep(100);
  const [code, refresh, own] = await Promise.all([
    auth.token(form),
    auth.refresh(family.app, family.tokens.refresh_token),
    auth.ownToken(app),
  ]);
  expect([code.status, refresh.status, own.status]).toEqual([504, 504, 504]);
  await over;
  await expect.poll(() => waiting(auth)).toEqual([]);
  const grants = "select count(*)::int as n from client_credentials_grants where app_id = $1";
  await sleep(300);
  expect((await auth.sql<{ n: number }>(grants, [app.id]))[0]?.n).toBe(0);
  expect(await rowsOf(family)).toEqual({ tokens: 1, unused: 1, ended: 0 });
  expect((await auth.token(form)).status).toBe(200);
  expect((await auth.refresh(family.app, family.tokens.refresh_token)).status).toBe(200);
});

test("a write that waited too long for a lock did nothing and says so", async () => {
  const family = await auth.signedIn();
  const asked = await locked(auth, async () => {
    const answer = auth.refresh(family.app, family.tokens.refresh_token);
    await someoneWaits(auth);
    return answer;
  });
  expect([503, 504]).toContain(asked.status);
  expect(await rowsOf(family)).toEqual({ tokens: 1, unused: 1, ended: 0 });
  expect((await auth.refresh(family.app, family.tokens.refresh_token)).status).toBe(200);
});

test("a refresh committed after a 504 is returned to the repeat, once", async () => {
  const { app, tokens } = await auth.signedIn();
  database.meet(app.client_id);
  database.swallowReplies(1);
  expect((await auth.refresh(app, tokens.refresh_token)).status).toBe(504);
  const other = await auth.createApp();
  expect((await auth.refresh(other, tokens.refresh_token)).status).toBe(400);
  const repeated = await auth.refresh(app, tokens.refresh_token);
  expect([repeated.status, await auth.me(repeated.body.access_token)]).toEqual([200, 200]);
  // A further use is still a replay.
  expect((await auth.refresh(app, tokens.refresh_token)).status).toBe(400);
  expect(await auth.me(repeated.body.access_token)).toBe(401);
});

test("a code redeemed after a 504 is returned to the repeat, once", async () => {
  const { form, app } = await auth.createGrant();
  database.meet(app.client_id);
  database.swallowReplies(1);
  expect((await auth.token(form)).status).toBe(504);
  const repeated = await auth.token(form);
  expect([repeated.status, await auth.me(repeated.body.access_token)]).toEqual([200, 200]);
  expect((await auth.token(form)).status).toBe(400);
  expect(await auth.me(repeated.body.access_token)).toBe(401);
});

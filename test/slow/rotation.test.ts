import { expect, test } from "vitest";
import { type Answer, type App, atOnce, auth, expectError, statuses } from "../support/oauth.ts";
import { repeats } from "../support/repeats.ts";

// Concurrent, because most of their time is the wait that makes a race.

test.concurrent.for([
  [2, repeats(20, 100)],
  [20, repeats(10, 100)],
])(
  "exactly one of %i concurrent uses wins and its tokens stay valid, %i times (O80)",
  { timeout: 300_000 },
  async ([parallel = 0, rounds = 0]) => {
    let { app, tokens } = await auth.signedIn();
    const losers: Promise<void>[] = [];
    for (let round = 0; round < rounds; round++) {
      const answers = Array.from({ length: parallel }, () => auth.refresh(app, tokens.refresh_token));
      const won = Promise.any(answers.map(async (answer) => only200(await answer)));
      losers.push(expectOneWinner(answers, round));
      // The next round uses this winner's token while its losers still wait.
      tokens = (await won).body;
      expect(await auth.me(tokens.access_token), `round ${round}`).toBe(200);
    }
    await Promise.all(losers);
    expect(await auth.me(tokens.access_token)).toBe(200);
  },
);

const only200 = (answer: Answer) => (answer.status === 200 ? answer : Promise.reject(answer));

async function expectOneWinner(asked: Promise<Answer>[], round: number) {
  const answers = await Promise.all(asked);
  expect(statuses(answers), `round ${round}`).toEqual([200, ...Array(asked.length - 1).fill(400)]);
  for (const each of answers) if (each.status === 400) expectError(each, 400, "invalid_grant");
}

test.concurrent("a use right after a race is a replay, however close (O79)", async () => {
  for (let round = 0; round < 10; round++) {
    const { app, tokens } = await auth.signedIn();
    const answers = await atOnce(5, (asked) => auth.refresh(app, tokens.refresh_token, {}, asked));
    const { access_token } = answers.find(({ status }) => status === 200)?.body ?? expect.unreachable();
    expect(await auth.me(access_token)).toBe(200);
    expectError(await auth.refresh(app, tokens.refresh_token), 400, "invalid_grant");
    expect(await auth.me(access_token)).toBe(401);
  }
});

const tokensOf = (app: App) =>
  auth.sql<{ consumed: boolean }>(
    `select r.consumed_at is not null as consumed from refresh_tokens r join sessions s on s.id = r.session_id where s.app_id = $1`,
    [app.id],
  );

test.concurrent("many refreshes in a row leave few rows (O86)", {
  timeout: 300_000,
}, async () => {
  const family = await auth.signedIn();
  let { tokens } = family;
  for (let round = 0; round < repeats(60, 200); round++) {
    const { status, body, text } = await auth.refresh(family.app, tokens.refresh_token);
    expect(status, `round ${round}: ${text}`).toBe(200);
    tokens = body;
  }
  expect(await auth.me(tokens.access_token)).toBe(200);
  const rows = await tokensOf(family.app);
  expect(rows.length).toBeLessThanOrEqual(21);
  expect(rows.filter(({ consumed }) => !consumed)).toHaveLength(1);
  // A forgotten token is unknown: it ends nothing and opens nothing.
  expectError(await auth.refresh(family.app, family.tokens.refresh_token), 400, "invalid_grant");
  expect(await auth.me(tokens.access_token)).toBe(200);
});

test.concurrent("a refresh that races a sign-out leaves no valid token", async () => {
  for (let round = 0; round < 10; round++) {
    const { app, tokens } = await auth.signedIn();
    const [refreshed, ended] = await Promise.all([
      auth.refresh(app, tokens.refresh_token),
      new Promise((wake) => setTimeout(wake, round * 3)).then(() => auth.signOut(tokens.access_token)),
    ]);
    expect(ended.status).toBe(200);
    expect([200, 400]).toContain(refreshed.status);
    if (refreshed.status === 400) continue;
    expect(await auth.me(refreshed.body.access_token)).toBe(401);
    expectError(await auth.refresh(app, refreshed.body.refresh_token), 400, "invalid_grant");
  }
});

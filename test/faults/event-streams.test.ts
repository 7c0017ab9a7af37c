import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Listener } from "../api/webhooks/event-listener.ts";
import { locked, waiting } from "../auth/oauth/table-lock.ts";
import { type FaultyStack, startFaultyStack } from "./faulty-stack.ts";

let faulty: FaultyStack;

beforeAll(async () => {
  faulty = await startFaultyStack({}, 0);
});
afterAll(() => faulty.stop());

/** Milliseconds in which every stream would look at the database once. */
const LOOK_MS = 1_500;

const open = (token: string) => new Listener(faulty.stack.urls.api).open({ token });

/** The number of looks that wait at the same time for a table that is locked, once so many do. */
const looksAtOnce = (expected: number) =>
  locked(
    faulty.auth,
    async () => {
      const looks = async () => (await waiting(faulty.auth, "stream_events")).length;
      await expect.poll(looks).toBeGreaterThanOrEqual(expected);
      await sleep(LOOK_MS);
      return looks();
    },
    "stream_events",
  );

test("eight streams of a user look at the database once between them, and no longer when their clients left", async () => {
  const app = await faulty.auth.createApp();
  const { tokens } = await faulty.auth.signedIn(app);
  const streams = await Promise.all(Array.from({ length: 8 }, () => open(tokens.access_token)));
  expect(await looksAtOnce(1)).toBe(1);
  const second = await faulty.auth.signedIn(app);
  const other = await open(second.tokens.access_token);
  expect(await looksAtOnce(2)).toBe(2);
  for (const stream of streams) stream.stop();
  const left = async () =>
    (
      await faulty.auth.sql<{ open: number }>(
        "select cardinality(open) as open from event_streams order by user_id",
      )
    )
      .map((row) => row.open)
      .sort();
  await expect.poll(left).toEqual([0, 1]);
  expect(await looksAtOnce(1)).toBe(1);
  other.stop();
});

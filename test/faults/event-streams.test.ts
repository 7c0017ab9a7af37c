import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { locked, someoneWaits, waiting } from "../service/oauth/table-lock.ts";
import { Listener } from "../service/webhooks/event-listener.ts";
import { type FaultyStack, startFaultyStack } from "./faulty-stack.ts";

let faulty: FaultyStack;

beforeAll(async () => {
  faulty = await startFaultyStack({}, 0);
});
afterAll(() => faulty.stop());

/** Milliseconds in which every stream would look at the database once. */
const LOOK_MS = 1_500;

const open = (token: string) => new Listener(faulty.stack.urls.api).open({ token });

/** The number of looks that wait at the same time for a table that is locked. */
const looksAtOnce = () =>
  locked(
    faulty.auth,
    async () => {
      await Promise.race([someoneWaits(faulty.auth, "stream_events"), sleep(LOOK_MS)]);
      await sleep(LOOK_MS);
      return (await waiting(faulty.auth, "stream_events")).length;
    },
    "stream_events",
  );

test("eight streams of a user look at the database once between them, and no longer when their clients left", async () => {
  const app = await faulty.auth.createApp();
  const { tokens } = await faulty.auth.signedIn(app);
  const streams = await Promise.all(Array.from({ length: 8 }, () => open(tokens.access_token)));
  expect(await looksAtOnce()).toBe(1);
  const second = await faulty.auth.signedIn(app);
  const other = await open(second.tokens.access_token);
  expect(await looksAtOnce()).toBe(2);
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
  expect(await looksAtOnce()).toBe(1);
  other.stop();
});

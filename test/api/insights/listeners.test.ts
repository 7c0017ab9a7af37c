import { expect, test } from "vitest";
import { listenerCode } from "../../../functions/api/media/listener.ts";
import { whileHeld } from "../../support/open-transaction.ts";
import { createUser, type Person } from "../../support/people.ts";
import { runCron, sql, stack } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { letPass } from "../plays/plays.support.ts";
import {
  addPendingPlay,
  deliverPlays,
  heard,
  insightsOf,
  sweepInsights,
  visitors,
} from "./insights.support.ts";

/** Listeners of each day that had some, oldest first. */
const listenersByDay = async (owner: Person, path: string) =>
  (await insightsOf(owner, path)).periods.flatMap(({ listeners }) => listeners || []);

test("a day that is added up twice counts each listener once", async () => {
  const owner = await createUser();
  const track = await createPlayableTrack(owner);
  const [one, two] = visitors(2) as [never, never];
  await deliverPlays(heard(track.id, one));
  await sweepInsights(track.id);
  await letPass(31, track.id, one);
  await deliverPlays(heard(track.id, one), heard(track.id, two));
  await sweepInsights(track.id);
  for (const path of [`/tracks/${track.id}`, "/me"]) {
    expect((await insightsOf(owner, path)).totals.plays).toBe(3);
    expect(await listenersByDay(owner, path)).toEqual([2]);
  }
});

test("plays that are added late join their own day", async () => {
  const owner = await createUser();
  const track = await createPlayableTrack(owner);
  for (const [daysAgo, who] of [2, 0, 2].map((days, at) => [days, visitors(3)[at] as never] as const)) {
    await addPendingPlay(track.id, who, daysAgo);
    await sweepInsights(track.id);
  }
  for (const path of [`/tracks/${track.id}`, "/me"]) {
    expect(await listenersByDay(owner, path)).toEqual([2, 1]);
    expect((await insightsOf(owner, path)).totals.listeners).toBe(3);
  }
});

test("a day of which only half could be added holds that half, and the rest once it comes", async () => {
  const owner = await createUser();
  const [free, locked] = [await createPlayableTrack(owner), await createPlayableTrack(owner)];
  const [one, two, three] = visitors(3) as [never, never, never];
  await whileHeld("select from tracks where id = $1 for update", [locked.id], async () => {
    await addPendingPlay(free.id, one);
    for (const who of [one, two, three]) await addPendingPlay(locked.id, who);
    await expect
      .poll(async () => {
        await runCron("*/5 * * * *");
        return sql("select track_id from pending_plays where track_id = any ($1)", [[free.id, locked.id]]);
      })
      .toEqual(Array(3).fill({ track_id: String(locked.id) }));
    expect(await listenersByDay(owner, "/me")).toEqual([1]);
  });
  await sweepInsights(free.id, locked.id);
  expect(await listenersByDay(owner, "/me")).toEqual([3]);
  expect(await listenersByDay(owner, `/tracks/${locked.id}`)).toEqual([3]);
});

test("a day's estimate is that of its codes, and thousands are told within the standard error", async () => {
  const owner = await createUser();
  const track = await createPlayableTrack(owner);
  const [who] = visitors(1) as [never];
  await deliverPlays(heard(track.id, who));
  await sweepInsights(track.id);
  const listeners = 5_000;
  const largest = new Map<number, number>();
  for (let userId = 1; userId <= listeners; userId++) {
    const code = listenerCode(stack.secrets, { userId, address: "" });
    largest.set(code >> 5, Math.max(code, largest.get(code >> 5) ?? 0));
  }
  await sql("update track_breakdowns set listeners = $2 where track_id = $1 and dimension = 'all'", [
    track.id,
    [...largest.values()],
  ]);
  const [estimate] = await listenersByDay(owner, `/tracks/${track.id}`);
  // Five times the standard error of 4.6 percent.
  expect(Math.abs((estimate ?? 0) / listeners - 1)).toBeLessThan(0.23);
  const { totals } = await insightsOf(owner, `/tracks/${track.id}`);
  expect(totals.listeners).toBe(estimate);
});

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

test("a range adds up whole months and the days around them, and nothing outside it", async () => {
  const owner = await createUser();
  const track = await createPlayableTrack(owner);
  const days = [150, 100, 75, 40, 0];
  for (const [at, daysAgo] of days.entries())
    await addPendingPlay(track.id, visitors(days.length)[at] as never, daysAgo);
  const from = new Date(Date.now() - 120 * 86_400_000).toISOString().slice(0, 10);
  for (let sweeps = 0; sweeps < 2; sweeps++) {
    for (const path of [`/tracks/${track.id}`, "/me"]) {
      const { totals, by } = await insightsOf(owner, path, `?from=${from}&by=country,track`);
      expect([
        totals.plays,
        by.country?.map(({ plays }) => plays),
        by.track?.map(({ plays }) => plays),
      ]).toEqual([4, [4], [4]]);
      if (sweeps) expect(totals.listeners).toBe(4);
    }
    await sweepInsights(track.id);
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

test("a country is named from five listeners on, however often fewer of them play", async () => {
  const owner = await createUser();
  const [track, second] = [await createPlayableTrack(owner), await createPlayableTrack(owner)];
  const [fifth, ...four] = visitors(5) as [never, never, never, never, never];
  const inMalta = four.map((who) => heard(track.id, who, { country: "MT" }));
  await deliverPlays(...inMalta, ...four.map((who) => heard(second.id, who, { country: "MT" })));
  const other = (plays: number) => [{ value: null, name: null, plays }];
  const countries = async (path: string) => (await insightsOf(owner, path, "?by=country")).by.country;
  for (let sweeps = 0; sweeps < 2; sweeps++) {
    expect(await countries(`/tracks/${track.id}`)).toEqual(other(4));
    expect(await countries("/me")).toEqual(other(8));
    await sweepInsights(track.id, second.id);
  }
  // The codes that name a country are stored, and no more.
  const storedCodes = () =>
    sql(
      "select distinct cardinality(listeners) as codes from track_breakdowns where track_id = $1 and dimension = 'country'",
      [track.id],
    );
  expect(await storedCodes()).toEqual([{ codes: 4 }]);
  await deliverPlays(heard(track.id, fifth, { country: "MT" }));
  const malta = (plays: number) => [{ value: "MT", name: null, plays }];
  for (let sweeps = 0; sweeps < 2; sweeps++) {
    expect(await countries(`/tracks/${track.id}`)).toEqual(malta(5));
    expect(await countries(`/tracks/${second.id}`)).toEqual(other(4));
    expect(await countries("/me")).toEqual(malta(9));
    await sweepInsights(track.id, second.id);
  }
  await deliverPlays(...visitors(2, 1_000).map((who) => heard(track.id, who, { country: "MT" })));
  await sweepInsights(track.id);
  expect([await countries(`/tracks/${track.id}`), await storedCodes()]).toEqual([malta(7), [{ codes: 5 }]]);
});

test("the fifty values with the most plays are named, and the rest is one", async () => {
  const owner = await createUser();
  const track = await createPlayableTrack(owner);
  await deliverPlays(
    ...visitors(53).map((who, n) => heard(track.id, who, { referrer: `r${n % 52}.example` })),
  );
  const { by } = await insightsOf(owner, `/tracks/${track.id}`, "?by=referrer");
  expect(by.referrer?.at(0)).toEqual({ value: "r0.example", name: null, plays: 2 });
  expect([by.referrer?.length, by.referrer?.at(-1)]).toEqual([51, { value: null, name: null, plays: 2 }]);
});

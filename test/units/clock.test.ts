import { expect, test } from "vitest";
import { clock } from "../../functions/ui/words.ts";
import { asset } from "./assets.support.ts";

test("pages and players show a length alike", async () => {
  const players = (await asset("clock.ts")) as {
    clock: (seconds: number) => string;
  };
  for (const ms of [0, 3_499, 3_500, 20_974, 59_999, 3_599_999, 3_600_000])
    expect([ms, clock(ms)]).toEqual([ms, players.clock(ms / 1000)]);
});

test.for([
  ["83", 83],
  ["1:23", 83],
  ["1:02:03", 3723],
  ["83s", 83],
  ["1h2m3s", 3723],
  ["2m", 120],
  ["", undefined],
  ["1m2h", undefined],
  ["h5", undefined],
  ["5s5s", undefined],
  [null, undefined],
] as const)("players read the moment %j of an address as %j seconds", async ([text, seconds]) => {
  const { secondsOf } = await asset("clock.ts");
  expect(secondsOf(text)).toBe(seconds);
});

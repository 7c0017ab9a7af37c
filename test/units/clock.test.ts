import { expect, test } from "vitest";
import { clock } from "../../functions/site/words.ts";

test("pages and players show a length alike", async () => {
  const players = (await import(`${import.meta.dirname}/../../functions/site/assets/clock.js`)) as {
    clock: (seconds: number) => string;
  };
  for (const ms of [0, 3_499, 3_500, 20_974, 59_999, 3_599_999, 3_600_000])
    expect([ms, clock(ms)]).toEqual([ms, players.clock(ms / 1000)]);
});

import { expect, test } from "vitest";
import type { Figure } from "../bench/bench.ts";
import { tableOf } from "../bench/table.ts";

const figure = (ratio: number): Figure => ({
  row: "get",
  what: "a track",
  over: "select 1",
  unit: "ms",
  note: "",
  ours: ratio,
  floor: 1,
  ratio,
  target: 1.5,
});

test("a figure over its target has missed it, and so has one that was not measured", () => {
  const [, met, over, none] = tableOf([1.5, 1.6, Number.NaN].map(figure)).split("\n");
  expect(met).toMatch(/≤ 1\.5$/);
  for (const line of [over, none]) expect(line).toMatch(/≤ 1\.5 missed$/);
});

import { expect, test } from "vitest";
import { nearestTo } from "../../functions/lib/text/nearest.ts";

test("a mistyped word finds the names that are near to it, the nearest first", () => {
  const names = ["tokens", "webhooks", "paging", "play", "playlists"];
  expect(nearestTo("webhoks", names)).toEqual(["webhooks"]);
  expect(nearestTo("Tokesn", names)).toEqual(["tokens"]);
  expect(nearestTo("plays", names)).toEqual(["play"]);
  expect(nearestTo("nothing-like-it", names)).toEqual([]);
  expect(nearestTo("a".repeat(10_000), names)).toEqual([]);
});

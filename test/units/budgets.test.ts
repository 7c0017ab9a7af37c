import { expect, test } from "vitest";
import { budgetOf } from "../../functions/http/budgets.ts";
import type { Env } from "../../functions/http/env.ts";

const withSetting = (LIKES_PER_HOUR?: string) =>
  ({ ...(LIKES_PER_HOUR !== undefined && { LIKES_PER_HOUR }) }) as Env;

test("a budget has a default, which a setting replaces or lifts", () => {
  expect(budgetOf(withSetting(), "likes")).toEqual({ name: "likes", max: 1_000, window_s: 3_600 });
  expect(budgetOf(withSetting("5"), "likes")).toEqual({ name: "likes", max: 5, window_s: 3_600 });
  expect(budgetOf(withSetting("0"), "likes")).toEqual({ name: "likes", max: 0, window_s: 3_600 });
  expect(budgetOf(withSetting("off"), "likes")).toBeNull();
});

test.each(["", "-1", "many", "1e3", "1.5", "9999999999"])(
  "an invalid setting (%j) lifts no limit",
  (setting) => {
    expect(budgetOf(withSetting(setting), "likes")?.max).toBe(1_000);
  },
);

test("deliveries to one host count by the minute", () => {
  expect(budgetOf(withSetting(), "webhook-deliveries")).toMatchObject({ window_s: 60 });
});

import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { Env } from "../../functions/lib/http/env.ts";
import { BUDGETS, type BudgetName, budgetOf } from "../../functions/lib/http/limits/budgets.ts";

const withSetting = (LIKES_PER_HOUR?: string) =>
  ({ ...(LIKES_PER_HOUR !== undefined && { LIKES_PER_HOUR }) }) as Env;

test("a budget has a default, which a setting replaces or lifts", () => {
  expect(budgetOf(withSetting(), "likes")).toEqual({
    name: "likes",
    max: 1_000,
    all_apps: 2_000,
    window_s: 3_600,
  });
  expect(budgetOf(withSetting("5"), "likes")).toEqual({
    name: "likes",
    max: 5,
    all_apps: 10,
    window_s: 3_600,
  });
  expect(budgetOf(withSetting("0"), "likes")).toEqual({
    name: "likes",
    max: 0,
    all_apps: 0,
    window_s: 3_600,
  });
  expect(budgetOf(withSetting("off"), "likes")).toBeNull();
});

test.each(["", "-1", "many", "1e3", "1.5", "9999999999"])(
  "an invalid setting (%j) lifts no limit",
  (setting) => {
    expect(budgetOf(withSetting(setting), "likes")?.max).toBe(1_000);
  },
);

test("deliveries to one host count by the minute, whoever's they are", () => {
  expect(budgetOf(withSetting(), "webhook-deliveries")).toEqual({
    name: "webhook-deliveries",
    max: 600,
    window_s: 60,
  });
});

test("the guide names each budget of a user with its default", async () => {
  const guide = await readFile("functions/web/docs/guides/limits.md", "utf8");
  const rows = new Map(
    [...guide.matchAll(/^\| (.+?) \| ([\d,]+) \|$/gm)].map(([, what, max]) => [what, max]),
  );
  const named = {
    "Likes and favorites": "likes",
    "Edits of playlists": "playlist-edits",
    Reposts: "reposts",
    Follows: "follows",
    Comments: "comments",
    "Tracks shared with more people": "shares",
    "Users asked whether they are artists of a track": "credits",
    "Event streams opened": "event-streams",
    "Apps registered": "app-registrations",
    "Podcasts read to be moved in": "podcast-imports",
    "Tests of webhooks": "webhook-tests",
    "Replays of webhooks": "webhook-replays",
  } as const;
  for (const [what, name] of Object.entries(named))
    expect([what, rows.get(what)]).toEqual([what, budgetOf(withSetting(), name)?.max.toLocaleString("en")]);
  const ofUsers = (Object.keys(BUDGETS) as BudgetName[]).filter(
    (name) => BUDGETS[name].bucket === "by-user-of-app",
  );
  expect(Object.values(named).sort()).toEqual(ofUsers.sort());
});

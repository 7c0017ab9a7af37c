import { expect, test } from "vitest";
import { buildApp } from "../../functions/app.ts";

test.each([
  [["api"] as const],
  [["auth"] as const],
  [["web"] as const],
  [["auth", "web"] as const],
  [["api", "auth", "web"] as const],
])("the routes of %j are one regular expression, but for what stands apart", (names) => {
  const { app } = buildApp(names);
  app.router.match("GET", "/");
  expect(app.router.name).toBe("SmartRouter + RegExpRouter");
  expect(app.routes.length).toBeGreaterThan(5);
});

test("a path that two routes have is answered by the one that has it word for word", () => {
  const { app, second } = buildApp(["api"]);
  for (const path of ["/me/favorites/ids", "/me/followings/tracks"]) {
    const found = second.router.match("GET", path)[0].map(([[, route]]) => route.path);
    expect([found[0], app.router.match("GET", path)[0].length]).toEqual([path, 0]);
  }
});

import { expect, test } from "vitest";
import { buildApp } from "../../functions/app.ts";
import { honoPath, LayeredRouter } from "../../functions/lib/http/router.ts";
import { serviceDocument } from "../../workers/build/api-document.ts";
import { read, sourcePaths } from "../support/structure.ts";

const layersOf = ({ router }: ReturnType<typeof buildApp>): string[][] => {
  if (!(router instanceof LayeredRouter)) throw new Error(`The router is ${router.name}`);
  return router.layers;
};

/** The path of the route that answers. */
const routeOf = (app: ReturnType<typeof buildApp>, path: string): string | undefined =>
  app.router.match("GET", path)[0].map(([[, route]]) => route.path)[0];

test.each([
  [["api"] as const],
  [["auth"] as const],
  [["web"] as const],
  [["auth", "web"] as const],
  [["api", "auth", "web"] as const],
])("nearly all routes of %j are one regular expression", (names) => {
  const app = buildApp(names);
  const [first, ...others] = layersOf(app);
  expect(first?.length).toBeGreaterThan(40);
  expect(others.flat().length).toBeLessThan(55);
  expect(routeOf(app, "/nothing/here/at/all/of/ours")).toBeUndefined();
});

test("only paths that overlap leave the API's first regular expression", () => {
  const [, ...others] = layersOf(buildApp(["api"]));
  expect([...new Set(others.flat())].sort()).toEqual([
    "/:clientFile{client-[^/]+\\.tgz}",
    "/docs/*",
    "/docs/:page",
    "/me/favorites/:id",
    "/me/followings/:userId",
    "/media/:token/:bitrate/:segment",
    "/media/:token/:bitrate/playlist.m3u8",
    "/uploads/:id",
    "/uploads/:id/complete",
    "/uploads/:id/parts",
    "/uploads/companion/:token/s3/multipart/:uploadId/:number",
  ]);
});

test("a path that two routes have is answered by the one that has it word for word", () => {
  const app = buildApp(["api", "web"]);
  for (const path of ["/me/favorites/ids", "/me/followings/tracks", "/docs/search", "/you/sets/new"])
    expect(routeOf(app, path)).toBe(path);
  expect(routeOf(app, "/me/favorites/5")).toBe("/me/favorites/:id");
  expect(routeOf(app, "/docs/tokens")).toBe("/docs/:page");
  expect(routeOf(app, "/ana/sets/edit")).toBe("/:user/sets/:set");
  expect(routeOf(app, "/ana/night/edit")).toBe("/:user/:track/edit");
});

test("an app's page and the API's app share a host", () => {
  const app = buildApp(["api", "web"]);
  expect(routeOf(app, "/apps/7")).toBe("/apps/:id");
  expect(routeOf(app, "/apps/7up")).toMatch(/^\/apps\/:permalink/);
});

test("a user's page answers no path of the API", () => {
  for (const app of [buildApp(["web"]), buildApp(["api", "web"])]) {
    expect(routeOf(app, "/ana/night")).toBe("/:user/:track");
    expect(routeOf(app, "/tracks/night")).not.toBe("/:user/:track");
    expect(routeOf(app, "/playlists/5/nothing")).toBeUndefined();
  }
});

test("a page takes ids and secrets only, and a parameter may end in a suffix", () => {
  const replies = {};
  const contract = { operationId: "get", summary: "Get", auth: "page" as const, replies };
  expect(honoPath({ path: "/you/sets/:id/delete" })).toBe("/you/sets/:id{[1-9][0-9]{0,15}}/delete");
  expect(honoPath({ path: "/you/sets/:id", contract })).toBe("/you/sets/:id");
  expect(honoPath({ path: "/audio/:segment.mp3", contract })).toBe("/audio/:segment{[^/]+\\.mp3}");
});

test("a search for a documented path finds its route", async () => {
  const { paths } = (await serviceDocument()) as { paths: object };
  const sources = sourcePaths().filter((path) => path.startsWith("functions/"));
  const text = sources.map(read).join("\n");
  const missing = Object.keys(paths).filter(
    (path) => !text.includes(`"${path.replace(/\{(\w+)\}/g, ":$1")}"`),
  );
  expect(missing).toEqual([]);
});

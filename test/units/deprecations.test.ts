import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  DEPRECATIONS,
  type Deprecation,
  deprecationsAt,
  deprecationsOf,
  markDeprecated,
} from "../../functions/lib/http/deprecations.ts";
import { noticeAt } from "../../workers/crons/deprecations.ts";

const API = { API_URL: "https://api.example" };

const GENRE: Deprecation = {
  id: "genre",
  title: "The field `genre`",
  text: "Take `genres`.",
  operations: ["updateTrack"],
  since: "2026-03-01",
  ends: "2026-09-01",
  replacement: "/docs/find",
};
const STAYS: Deprecation = {
  ...GENRE,
  id: "stays",
  since: "2025-01-01",
  ends: undefined,
  replacement: "/docs/play",
};

const headersFor = (...used: Deprecation[]) => {
  const headers = new Headers();
  markDeprecated(headers, used, API);
  return Object.fromEntries(headers);
};

test("each entry has an id of its own, ends after it was announced, and names pages that exist", () => {
  expect(new Set(DEPRECATIONS.map(({ id }) => id)).size).toBe(DEPRECATIONS.length);
  for (const { id, since, ends, replacement } of DEPRECATIONS) {
    expect([id, Date.parse(since)]).toEqual([id, expect.any(Number)]);
    expect([id, ends === undefined || ends > since]).toEqual([id, true]);
    expect(
      readFileSync(`functions/web/docs/guides/${replacement.replace("/docs/", "")}.md`, "utf8"),
    ).toBeTruthy();
  }
});

test("a reply says since when something is deprecated, when it ends, and where each is explained", () => {
  expect(headersFor(GENRE)).toEqual({
    deprecation: `@${Date.parse("2026-03-01") / 1000}`,
    sunset: "Tue, 01 Sep 2026 00:00:00 GMT",
    link: '<https://api.example/docs/find>; rel="deprecation"; type="text/html", <https://api.example/docs/changelog#deprecated>; rel="sunset"; type="text/html"',
  });
});

test("of several, the first dates count, and what stays has no end", () => {
  const { deprecation, sunset, link } = headersFor(GENRE, STAYS);
  expect([deprecation, sunset]).toEqual([
    `@${Date.parse("2025-01-01") / 1000}`,
    "Tue, 01 Sep 2026 00:00:00 GMT",
  ]);
  expect(link).toContain("/docs/find>");
  expect(link).toContain("/docs/play>");
  expect(headersFor(STAYS)).not.toHaveProperty("sunset");
});

test("nothing is announced by an empty list", () => {
  expect(headersFor()).toEqual({});
  expect(deprecationsAt({ OLDER_BEHAVIOUR: "on" }, [])).toEqual([]);
  expect(deprecationsOf("updateTrack", [])).toEqual([]);
});

test("what a deployment has switched off is not announced there, and the next end comes first", () => {
  const off = deprecationsAt({ OLDER_BEHAVIOUR: "off" }).map(({ id }) => id);
  expect(off).not.toContain("older-behaviour");
  const on = deprecationsAt({ OLDER_BEHAVIOUR: "on" }, [STAYS, ...DEPRECATIONS, GENRE]).map(({ id }) => id);
  expect(on).toEqual(["genre", "older-behaviour", "stays", "favorites"]);
});

test("owners hear of it at once, a month and a week before the end, and no more after it", () => {
  const at = (day: string) => noticeAt("2026-09-01", Date.parse(day));
  expect(
    ["2026-08-01", "2026-08-02", "2026-08-24", "2026-08-25", "2026-08-31", "2026-09-01"].map(at),
  ).toEqual(["announced", "month", "month", "week", "week", undefined]);
});

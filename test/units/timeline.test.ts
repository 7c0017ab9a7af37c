import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { readTimeline, TimelinePaging, timelinePage } from "../../functions/lib/http/timeline.ts";

const links = { API_URL: "https://api.example", WEB_URL: "https://example", URN_NAMESPACE: "soundcloud" };
const scope = { SIGNING_KEYS: randomBytes(32).toString("base64"), list: "feed", userId: 7 };
const moment = { snapshot: "10:14:11,12", settled: 99 };
const later = { snapshot: "20:20:", settled: 199 };

const page = (
  end: Parameters<typeof timelinePage>[2],
  url = "http://10.0.0.1/me/feed?limit=2&access=playable",
) => timelinePage(scope, [{ a: 1 }, { a: 2 }], end, url, links);

const read = (href = "") =>
  readTimeline(scope, TimelinePaging.parse(Object.fromEntries(new URL(href).searchParams)));

test("a page holds its items and continues from its end, within its moment", () => {
  const { collection, next_href } = page({ next: 5, moment });
  expect(collection).toEqual([{ a: 1 }, { a: 2 }]);
  expect(read(next_href)).toEqual({ limit: 2, before: 5, until: moment });
});

test("the last page leads only to newer items", () => {
  const { next_href, future_href } = page({ next: null, moment });
  expect(next_href).toBeUndefined();
  expect(read(future_href)).toEqual({ limit: 2, since: moment });
  expect(new URL(future_href).searchParams.get("access")).toBe("playable");
});

test("pages of newer items stay between two moments, then continue from the later one", () => {
  const { future_href } = page({ next: null, moment });
  const { next_href } = page({ next: 5, moment: later }, future_href);
  expect(read(next_href)).toEqual({ limit: 2, before: 5, since: moment, until: later });
  const following = page({ next: null, moment: later }, next_href);
  expect(read(following.future_href)).toEqual({ limit: 2, since: later });
});

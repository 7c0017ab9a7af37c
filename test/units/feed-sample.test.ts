import { expect, test } from "vitest";
import { rss } from "../../functions/web/pages/podcasts/rss.ts";
import { SAMPLE } from "../../functions/web/pages/podcasts/sample.ts";

test("a feed's tag changes with how lines and long descriptions are written, which reaches those who hold the feed", () => {
  const origin = "https://soundpost.example";
  const SIGNING_KEYS = Buffer.alloc(32, 1).toString("base64");
  const feed = rss({ API_URL: origin, WEB_URL: origin, URN_NAMESPACE: "soundpost", SIGNING_KEYS }, SAMPLE);
  expect(feed).toContain("Line&lt;br /&gt;");
  const descriptions = Array.from(feed.matchAll(/<description>([^<]*)/g), ([, text = ""]) => text);
  expect(Math.max(...descriptions.map((text) => Buffer.byteLength(text)))).toBe(3_998);
});

import { expect, test } from "vitest";
import { permalinkOf } from "../../functions/api/tracks/write.ts";

test.each([
  ["My First Track", "my-first-track"],
  ["  Ça  va -- bien?!  ", "ca-va-bien"],
  ["Straße", "strasse"],
  ["Ærø og Łódź", "aero-og-lodz"],
  ["ÅÄÖ åäö", "aao-aao"],
  ["ﬁne", "fine"],
  ["Ⅷ ①", "viii-1"],
  ["a_b.c/d", "a-b-c-d"],
  ["../../etc/passwd", "etc-passwd"],
  ["12345", "12345"],
  ["Юля Щербакова", "yulya-shcherbakova"],
  ["李小龍", "li-xiao-long"],
  ["ニコニコ", "nikoniko"],
  ["서울의 밤", "seoulyi-bam"],
  ["Ελλάδα", "ellada"],
  ["שלום", "shlvm"],
  ["नमस्ते", "nmste"],
  ["ไทย", "aithy"],
  ["日本 remix", "ri-ben-remix"],
  ["сетс", "track-sets"],
  ["🎵🎶", "track"],
  ["", "track"],
  ["---", "track"],
  ["sets", "track-sets"],
  ["Sets!", "track-sets"],
  ["sets of mine", "sets-of-mine"],
])("%j becomes %s", async (title, permalink) => {
  expect(await permalinkOf(title)).toBe(permalink);
});

test.each([
  "x".repeat(1000),
  `${"x".repeat(99)} ${"y".repeat(99)}`,
  "é".repeat(500),
  "\u0301".repeat(10_000),
  "- ".repeat(9999),
])("a permalink stays short and clean for a title of any length", async (title) => {
  const permalink = await permalinkOf(title);
  expect(permalink.length).toBeLessThanOrEqual(100);
  expect(permalink).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
});

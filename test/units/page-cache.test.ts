import { expect, test } from "vitest";
import { cachePage, lastIds, lastPage, TrackPageText } from "../../functions/tracks/page-cache.ts";

const pageOf = (mark: string | undefined, count: number, text = "") => {
  const ids = Array.from({ length: count }, (_, n) => n);
  return new TrackPageText(
    mark,
    ids,
    ids.map((id) => id + text),
  );
};

test("the cache holds the last used public pages, 16 MiB in total", () => {
  // Some 4 MiB each: two bytes per character, kept both split and joined.
  const page = (mark: string) => pageOf(mark, 500, "x".repeat(2_000));
  for (const list of ["a", "b", "c", "a", "d", "e"]) cachePage(list, page(list));
  expect(["a", "b", "c", "d", "e"].map((list) => lastPage(list)?.mark)).toEqual([
    "a",
    undefined,
    "c",
    "d",
    "e",
  ]);
  expect(lastIds("b")).toHaveLength(500);
});

test("a large page evicts no other", () => {
  cachePage("usual", pageOf("usual", 50, "x".repeat(2_000)));
  cachePage("large", pageOf("large", 200, "x".repeat(20_000)));
  expect([lastPage("usual")?.mark, lastPage("large"), lastIds("large").length]).toEqual([
    "usual",
    undefined,
    200,
  ]);
});

test("a private page is not cached, and removes its predecessor", () => {
  cachePage("list", pageOf("mark", 2));
  cachePage("list", pageOf(undefined, 3));
  expect([lastPage("list"), lastIds("list")]).toEqual([undefined, [0, 1, 2]]);
});

test("cached tracks read the same as one text, as an array and by id", () => {
  const page = new TrackPageText("mark", [7, 5], ['{"id":7}', '{"id":5}']);
  expect(JSON.parse(`[${page.joined}]`)).toEqual([{ id: 7 }, { id: 5 }]);
  expect(page.byId().get(5)).toBe('{"id":5}');
});

import { expect, test } from "vitest";
import { lastIds, lastPage, rememberPage, TrackPageText } from "../../functions/tracks/last-pages.ts";

const pageOf = (mark: string | undefined, count: number, text = "") => {
  const ids = Array.from({ length: count }, (_, n) => n);
  return new TrackPageText(
    mark,
    ids,
    ids.map((id) => id + text),
  );
};

test("of the pages that go out whole those used last are kept, 16 MiB together", () => {
  // Some 4 MiB each: two bytes a character, once as they are and once joined.
  const page = (mark: string) => pageOf(mark, 500, "x".repeat(2_000));
  for (const list of ["a", "b", "c", "a", "d", "e"]) rememberPage(list, page(list));
  expect(["a", "b", "c", "d", "e"].map((list) => lastPage(list)?.mark)).toEqual([
    "a",
    undefined,
    "c",
    "d",
    "e",
  ]);
  expect(lastIds("b")).toHaveLength(500);
});

test("a page that is large by itself drives out no other", () => {
  rememberPage("usual", pageOf("usual", 50, "x".repeat(2_000)));
  rememberPage("large", pageOf("large", 200, "x".repeat(20_000)));
  expect([lastPage("usual")?.mark, lastPage("large"), lastIds("large").length]).toEqual([
    "usual",
    undefined,
    200,
  ]);
});

test("a page that is its reader's alone is not kept, nor the one before it", () => {
  rememberPage("list", pageOf("mark", 2));
  rememberPage("list", pageOf(undefined, 3));
  expect([lastPage("list"), lastIds("list")]).toEqual([undefined, [0, 1, 2]]);
});

test("tracks stand in one text as in an array, and by their ids", () => {
  const page = new TrackPageText("mark", [7, 5], ['{"id":7}', '{"id":5}']);
  expect(JSON.parse(`[${page.joined}]`)).toEqual([{ id: 7 }, { id: 5 }]);
  expect(page.byId().get(5)).toBe('{"id":5}');
});

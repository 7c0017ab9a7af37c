import fc from "fast-check";
import { expect, test } from "vitest";
import { isMachineTag, parseTags, writeTags } from "../../functions/api/tracks/tags.ts";

test.each<[list: string, tags: string[], written?: string]>([
  ["", []],
  [" \t\n ", [], ""],
  ["rock", ["rock"]],
  ['rock "hip hop" jazz', ["rock", "hip hop", "jazz"]],
  ["geo:lat=52.5 geo:lon=13.4", ["geo:lat=52.5", "geo:lon=13.4"]],
  ['note:text="two words" rock', ["note:text=two words", "rock"]],
  ['"note:text=two words"', ["note:text=two words"], 'note:text="two words"'],
  ['note:text=""', ["note:text="], "note:text="],
  ['note:text="x=y:z \u00e9"', ["note:text=x=y:z \u00e9"]],
  ['"one"', ["one"], "one"],
  ['  a   "b \n c"  ', ["a", "b c"], 'a "b c"'],
  ['"never closed', ["never closed"], '"never closed"'],
  ['note:text="never closed', ["note:text=never closed"], 'note:text="never closed"'],
  ['12" vinyl', ['12"', "vinyl"]],
  ['"" " " "', [], ""],
  ['"a""b"', ["a", "b"], "a b"],
  ["a a A", ["a", "A"], "a A"],
  ["日本語 🎵", ["日本語", "🎵"]],
  ["a\u00a0b", ["a", "b"], "a b"],
  ["<script> a,b #c", ["<script>", "a,b", "#c"]],
])("%j", (list, tags, written = list) => {
  expect(parseTags(list)).toEqual(tags);
  expect(writeTags(tags)).toBe(written);
});

test("machine tags differ from words and phrases", () => {
  expect(["geo:lat=1", "n:k=", "n:k=a b"].map(isMachineTag)).toEqual([true, true, true]);
  expect(["geo", "geo:lat", "a=b", ":a=b", "a:=b", "two words:a=b"].map(isMachineTag)).toEqual(
    Array(6).fill(false),
  );
});

const piece = fc.constantFrom('"', " ", "=", ":", "a", "b:c=", '"d e"', "\n", "é");

test("any stored list parses to the same tags and prints the same again", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "grapheme" }),
        fc.array(piece).map((all) => all.join("")),
      ),
      (list) => {
        const tags = parseTags(list);
        const storedText = writeTags(tags);
        expect(parseTags(storedText)).toEqual(tags);
        expect(writeTags(parseTags(storedText))).toBe(storedText);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("parsing time grows linearly with the list (X81)", () => {
  for (const hostile of ["a:", "a:b=", '"', 'a:b="', "a ", ": ", "=", "a:b=\n"])
    expect(parseTags(hostile.repeat(200_000)).length).toBeGreaterThanOrEqual(0);
});

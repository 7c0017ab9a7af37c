import { expect, test } from "vitest";
import { parseRange } from "../../functions/lib/http/files/range.ts";

const SIZE = 1000;

test.each([
  ["bytes=0-", { start: 0, end: 999 }],
  ["bytes=0-0", { start: 0, end: 0 }],
  ["bytes=999-999", { start: 999, end: 999 }],
  ["bytes=500-5000", { start: 500, end: 999 }],
  ["bytes=-1", { start: 999, end: 999 }],
  ["bytes=-1000", { start: 0, end: 999 }],
  ["bytes=-5000", { start: 0, end: 999 }],
  [" bytes=1-2 ", { start: 1, end: 2 }],
])("%s is a part", (header, range) => {
  expect(parseRange(header, SIZE)).toEqual(range);
});

test.each([
  undefined,
  "",
  "bytes=",
  "bytes=-",
  "bytes",
  "bytes=a-b",
  "bytes=1-2,4-5",
  "bytes=2-1",
  "bytes=+1-2",
  "items=0-1",
  "bytes=0x1-2",
  "bytes=1.5-2",
  "bytes= 1-2",
  "bytes=-1-2",
  "bytes=١-٢",
])("%s is ignored: the whole object is meant", (header) => {
  expect(parseRange(header, SIZE)).toBe("whole");
});

test.each(["bytes=1000-", "bytes=1000-1001", "bytes=-0", `bytes=${"9".repeat(400)}-`])(
  "%s cannot be satisfied",
  (header) => {
    expect(parseRange(header, SIZE)).toBeUndefined();
  },
);

test("excessive digits never yield NaN or Infinity", () => {
  expect(parseRange(`bytes=0-${"9".repeat(400)}`, SIZE)).toEqual({ start: 0, end: 999 });
  expect(parseRange(`bytes=-${"9".repeat(400)}`, SIZE)).toEqual({ start: 0, end: 999 });
});

test.each(["bytes=0-", "bytes=0-0", "bytes=-1"])("%s of an empty object cannot be satisfied", (header) => {
  expect(parseRange(header, 0)).toBeUndefined();
});

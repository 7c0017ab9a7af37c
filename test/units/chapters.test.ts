import { describe, expect, test } from "vitest";
import { chaptersIn, withoutChapters } from "../../functions/api/podcasts/chapters.ts";
import { inLinearTime } from "../support/linear.ts";

const HOUR_MS = 3_600_000;

describe("chapters in a description", () => {
  test.each([
    "0:00 Start<br />1:30 End",
    "[0:00] Start<br />[1:30] End",
    "0:00 – Start<br />1:30 – End",
    "0:00: Start<br />0:01:30: End",
  ])("are lines that begin with times: %s", (description) => {
    expect(chaptersIn(description, HOUR_MS)).toEqual([
      { start: 0, title: "Start" },
      { start: 90_000, title: "End" },
    ]);
  });

  test.each([
    ["0:00 Start<br />105:12 End", 6_312_000],
    ["00:00:00.000 Start<br />00:01:30.500 End", 90_500],
    ["0:00,0 Start<br />1:30,25 End", 90_250],
    ["0:00 Start<br />1:45:12 End", 6_312_000],
  ])("may count minutes beyond an hour, and parts of a second: %s", (description, start) => {
    expect(chaptersIn(description, 2 * HOUR_MS)).toEqual([
      { start: 0, title: "Start" },
      { start, title: "End" },
    ]);
  });

  test("cost no square of a line's blanks", () => {
    const line = `0:00${" ".repeat(2_000_000)}x\u2028y`;
    expect(inLinearTime(() => chaptersIn(line, HOUR_MS))).toEqual([]);
  });

  test("are left out of an excerpt, which keeps times that are none", () => {
    expect(withoutChapters("Hello\n0:00 Start\n[1:30] End\nBye")).toBe("Hello\nBye");
    expect(withoutChapters("At 8\n1:30 Doors\n0:00 Start")).toBe("At 8\n1:30 Doors\n0:00 Start");
  });
});

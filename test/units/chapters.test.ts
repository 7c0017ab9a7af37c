import { describe, expect, test } from "vitest";
import { chaptersIn, withoutChapters } from "../../functions/api/podcasts/chapters.ts";
import { chaptersOfFile } from "../../functions/api/podcasts/file-chapters.ts";
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

  test.each([
    ["do not begin at 0:00", "0:05 Start<br />1:30 End"],
    ["go back", "0:00 Start<br />1:30 Middle<br />1:00 End"],
    ["go beyond the end", "0:00 Start<br />61:00 End"],
    ["are one alone", "0:00 Start"],
  ])("are none if they %s", (_, description) => {
    expect(chaptersIn(description, HOUR_MS)).toEqual([]);
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

describe("chapters of an audio file", () => {
  const of = (...reported: Parameters<typeof chaptersOfFile>[0]) =>
    chaptersOfFile(reported, 10_000, (picture) => `version-${picture}`);

  test("are put in order, each once, within the file, and end where no other begins", () => {
    const second = { start: 4_000, end: 5_000, title: "Two\nlines", picture: 1 };
    const first = { start: 0, end: 4_000, title: "One" };
    expect(of(second, first, { ...first, title: "Twin" }, { start: 10_000, end: 11_000 })).toEqual([
      { start: 0, title: "One" },
      { start: 4_000, end: 5_000, title: "Two lines", picture: "version-1" },
    ]);
  });

  test("are none if they divide nothing", () => {
    expect(of({ start: 0, end: 10_000, title: "All" })).toBeNull();
  });
});

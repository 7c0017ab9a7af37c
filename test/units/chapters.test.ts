import { describe, expect, test } from "vitest";
import { chaptersIn } from "../../functions/podcasts/chapters.ts";
import { cpuSecondsOf } from "../support/cpu.ts";

const HOUR_MS = 3_600_000;

describe("chapters in a description", () => {
  test.each([
    "0:00 Start<br />1:30 End",
    "[0:00] Start<br />[1:30] End",
    "0:00 – Start<br />1:30 – End",
    "0:00: Start<br />0:01:30: End",
  ])("are lines that begin with times: %s", (description) => {
    expect(chaptersIn(description, HOUR_MS)).toEqual([
      { startTime: 0, title: "Start" },
      { startTime: 90, title: "End" },
    ]);
  });

  test("are read in a moment, however many blanks a line has", async () => {
    const line = `0:00${" ".repeat(19_000)}x\u2028y`;
    const took = await cpuSecondsOf(() => {
      for (let n = 0; n < 20; n++) chaptersIn(line, HOUR_MS);
    });
    expect(took).toBeLessThan(2);
  });
});

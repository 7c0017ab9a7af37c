import { expect, test } from "vitest";
import { sizeInWords } from "../../functions/lib/text/size.ts";

test("limits are told in gigabytes and megabytes, and small ones in bytes", () => {
  const limits = [64 * 1024, 10 * 2 ** 20, 22 * 2 ** 20, 2 ** 30 - 1, 4 * 2 ** 30, 2.59 * 2 ** 30];
  expect(limits.map(sizeInWords)).toEqual(["65536 bytes", "10 MB", "22 MB", "1023 MB", "4 GB", "2.5 GB"]);
});

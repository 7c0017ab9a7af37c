import { expect, test } from "vitest";
import { sizeInWords } from "../../functions/text/size.ts";

test("limits are told in megabytes, and small ones in bytes", () => {
  const limits = [64 * 1024, 10 * 2 ** 20, 22 * 2 ** 20];
  expect(limits.map(sizeInWords)).toEqual(["65536 bytes", "10 MB", "22 MB"]);
});

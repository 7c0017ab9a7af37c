import { expect, test } from "vitest";
import { spread, WAITING } from "../support/file-order.ts";
import { sourcePaths } from "../support/structure.ts";

test("files that wait are spread, and all of them have started long before the end", () => {
  const order = spread(["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"], ["1", "2", "3"]);
  expect(order.join("")).toBe("1ab2cd3efghij");
  expect(spread(["a"], ["1", "2"]).join("")).toBe("1a2");
  expect(spread([], ["1", "2"]).join("")).toBe("12");
});

test("every file named as waiting exists", () => {
  const paths = new Set(sourcePaths());
  expect(Object.keys(WAITING).filter((path) => !paths.has(path))).toEqual([]);
});

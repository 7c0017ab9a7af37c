import fc from "fast-check";
import { expect, test } from "vitest";
import { LruCache } from "../../functions/http/cache.ts";

const texts = (maxBytes: number, maxEntryBytes?: number) =>
  new LruCache<string, string>({
    maxBytes,
    ...(maxEntryBytes && { maxEntryBytes }),
    bytesOf: (key, value) => key.length + value.length,
  });

test("the least recently used entries are evicted beyond the byte limit", () => {
  const known = texts(9);
  for (const key of ["a", "b", "c"]) known.set(key, "xx");
  expect(known.get("a")).toBe("xx");
  known.set("d", "xx");
  expect(["a", "b", "c", "d"].map((key) => known.get(key))).toEqual(["xx", undefined, "xx", "xx"]);
});

test("a large entry is not stored, removes the one it replaces, and evicts no other", () => {
  const known = texts(100, 10);
  known.set("a", "x");
  known.set("b", "x");
  known.set("b", "x".repeat(50));
  expect([known.get("a"), known.get("b"), known.bytes]).toEqual(["x", undefined, 2]);
});

test("the byte count matches the entries after any operations and never exceeds the limit", () => {
  const step = fc.record({
    action: fc.constantFrom("set", "get", "delete"),
    key: fc.constantFrom("a", "b", "c", "d", "e"),
    length: fc.nat(40),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const known = texts(60, 30);
      for (const { action, key, length } of steps) {
        if (action === "set") known.set(key, "x".repeat(length));
        else if (action === "get") known.get(key);
        else known.delete(key);
      }
      const cachedValues = ["a", "b", "c", "d", "e"].map((key) => known.get(key));
      const bytes = cachedValues.reduce(
        (sum, value) => sum + (value === undefined ? 0 : 1 + value.length),
        0,
      );
      expect(known.bytes).toBe(bytes);
      expect(bytes).toBeLessThanOrEqual(60);
    }),
  );
});

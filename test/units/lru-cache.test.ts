import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { LruCache } from "../../functions/lib/http/cache.ts";

const texts = (maxBytes: number) =>
  new LruCache<string, string>({ maxBytes, bytesOf: (key, value) => key.length + value.length });

test("the least recently used entries are evicted beyond the byte limit", () => {
  const known = texts(9);
  for (const key of ["a", "b", "c"]) known.set(key, "xx");
  expect(known.get("a")).toBe("xx");
  known.set("d", "xx");
  expect(["a", "b", "c", "d"].map((key) => known.get(key))).toEqual(["xx", undefined, "xx", "xx"]);
});

test("a large entry is not stored, removes the one it replaces, and evicts no other", () => {
  const known = texts(10);
  known.set("a", "x");
  known.set("b", "x");
  known.set("b", "x".repeat(50));
  expect([known.get("a"), known.get("b"), known.bytes]).toEqual(["x", undefined, 2]);
});

/** The same cache as a list, the oldest entry first. */
class ListCache {
  entries: [key: string, value: string][] = [];

  delete(key: string) {
    this.entries = this.entries.filter(([other]) => other !== key);
  }

  get(key: string) {
    const entry = this.entries.find(([other]) => other === key);
    if (entry) this.entries = [...this.entries.filter((other) => other !== entry), entry];
  }

  set(key: string, value: string) {
    this.delete(key);
    if (1 + value.length <= 60) this.entries.push([key, value]);
    while (this.bytes > 60) this.entries.shift();
  }

  get bytes() {
    return this.entries.reduce((sum, [, value]) => sum + 1 + value.length, 0);
  }
}

test("after any operations, the cache holds what a list would, and as many bytes", () => {
  const KEYS = ["a", "b", "c", "d", "e"];
  const step = fc.record({
    action: fc.constantFrom("set", "get", "delete"),
    key: fc.constantFrom(...KEYS),
    length: fc.nat(80),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const [known, list] = [texts(60), new ListCache()];
      for (const { action, key, length } of steps) {
        for (const cache of [known, list]) {
          if (action === "set") cache.set(key, "x".repeat(length));
          else if (action === "get") cache.get(key);
          else cache.delete(key);
        }
      }
      const entries = new Map(list.entries);
      expect(KEYS.map((key) => known.get(key))).toEqual(KEYS.map((key) => entries.get(key)));
      expect(known.bytes).toBe(list.bytes);
    }),
  );
});

test("what was replaced or moved takes no memory", () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const cache = new LruCache<number, { text: string }>({ maxBytes: 1000, bytesOf: () => 1 });
  const fill = (rounds: number) => {
    for (let n = 0; n < rounds; n++) cache.set(n % 100, { text: `${n}`.padEnd(2_000, ".") });
    for (let n = 0; n < rounds; n++) cache.get(n % 100);
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = fill(1_000);
  expect(fill(20_000) - before).toBeLessThan(5_000_000);
});

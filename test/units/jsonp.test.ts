import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { callableName, errorInBody, jsonpText } from "../../functions/lib/http/format/jsonp.ts";

test.each(["cb", "$", "_a1", "a.b.c.d", "jQuery1102_123", "x".repeat(64)])(
  "%s is a valid callback (X46)",
  (name) => {
    expect(callableName([name])).toBe(name);
  },
);

test.each([
  "",
  " ",
  "alert(1)//",
  "a;b",
  "a.b.c.d.e",
  ".a",
  "a.",
  "a..b",
  "1a",
  "a-b",
  "a[0]",
  "a b",
  "a\r\nX: y",
  "a\0",
  "ünï",
  "ａ",
  "a\u2028",
  "CWS\u0007\u000e000hCSUp0D",
  "x".repeat(65),
  "x.".repeat(5_000),
  "x".repeat(10_000),
  "function",
  "window.delete",
  "eval",
  "this",
  "null",
])("%j is not a valid callback (X46)", (name) => {
  expect(() => callableName([name])).toThrow(expect.objectContaining({ status: 400 }));
});

test("two callbacks, or none, are refused (X46)", () => {
  expect(() => callableName(["a", "b"])).toThrow(expect.objectContaining({ status: 400 }));
  expect(() => callableName([])).toThrow(expect.objectContaining({ status: 400 }));
});

test("no reply contains the end of a script, and the value arrives unchanged (X45)", () => {
  const value = { title: "</script><script>alert(1)//&\u2028\u2029<!--", list: ["'", '"', "\\"] };
  const text = jsonpText("a.b", value);
  expect(text).toMatch(/^\/\*\*\/a\.b\(.*\);$/);
  expect(text).not.toMatch(/[<>&\u2028\u2029]/);
  let arrived: unknown;
  runInNewContext(text, { a: { b: (given: unknown) => (arrived = given) } });
  expect(JSON.parse(JSON.stringify(arrived))).toEqual(value);
});

test("an error carries its code in both dialects", () => {
  const older = { errors: [{ error_message: "404 - Not Found" }] };
  expect(errorInBody(404, older)).toEqual({ code: 404, ...older });
  expect(errorInBody(404, { code: 404, message: "x" })).toEqual({ code: 404, message: "x" });
  expect(errorInBody(200, [])).toEqual([]);
});

import { createHmac, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { type Purpose, sign, verify } from "../../functions/lib/security/signing.ts";

const key = () => randomBytes(32).toString("base64");
const [first, second] = [key(), key()];
const env = { SIGNING_KEYS: first };

test("a signed value returns unchanged", () => {
  for (const payload of ["42", "a b.c/d?e=f&g", "\u0000\n", "日本語 🎵", "x".repeat(10_000)])
    expect(verify(env, "media", sign(env, "media", payload))).toBe(payload);
});

test("a signature fits a path segment", () => {
  expect(sign(env, "media", "?/ü ".repeat(9))).toMatch(/^[\w-]+\.[\w-]{22}$/);
});

test("a change of any one character is refused", () => {
  const signed = sign(env, "cursor", "tracks 7 1234567890");
  for (let i = 0; i < signed.length; i++) {
    for (const other of ["A", "_", "."]) {
      const changed = signed.slice(0, i) + other + signed.slice(i + 1);
      if (changed !== signed) expect(verify(env, "cursor", changed), changed).toBeUndefined();
    }
  }
});

test("a value signed for one purpose is invalid for the others", () => {
  const purposes: Purpose[] = ["media", "ticket", "cursor", "companion"];
  for (const purpose of purposes) {
    const signed = sign(env, purpose, "1");
    expect(purposes.filter((other) => verify(env, other, signed) !== undefined)).toEqual([purpose]);
  }
});

test("keys rotate: the first signs, all verify, a dropped one no longer", () => {
  const old = sign(env, "media", "1");
  const both = { SIGNING_KEYS: `${second},${first}` };
  expect(verify(both, "media", old)).toBe("1");
  const fresh = sign(both, "media", "1");
  expect(verify({ SIGNING_KEYS: second }, "media", fresh)).toBe("1");
  expect(verify(env, "media", fresh)).toBeUndefined();
  expect(verify({ SIGNING_KEYS: second }, "media", old)).toBeUndefined();
});

test.each([
  "",
  ".",
  "..",
  "a",
  "a.",
  ".a",
  "MQ.",
  "MQ.MQ",
  "MQ.AAAAAAAAAAAAAAAAAAAAAA",
  "MQ.AAAAAAAAAAAAAAAAAAAAAA.x",
  "MQ.AAAAAAAAAAAAAAAAAAAAAB",
  "MQ.\u0000",
  "é.é",
  "x".repeat(100_000),
])("%j is not signed by us", (signed) => {
  expect(verify(env, "media", signed.slice(0, 100_000))).toBeUndefined();
});

test("the tag has one spelling: padding and the other alphabet are refused", () => {
  const signed = sign(env, "media", "1");
  expect(verify(env, "media", `${signed}=`)).toBeUndefined();
  expect(verify(env, "media", `${signed}==`)).toBeUndefined();
});

test("a typing error in the list of keys creates no guessable key", () => {
  expect(() => sign({ SIGNING_KEYS: "" }, "media", "1")).toThrow();
  const byNoKey = createHmac("sha256", "").update("soundpost media").digest();
  const tag = createHmac("sha256", byNoKey).update("MQ").digest().subarray(0, 16).toString("base64url");
  for (const slip of [`${first},`, `,${first}`, `${first},,${second}`])
    expect(verify({ SIGNING_KEYS: slip }, "media", `MQ.${tag}`), slip).toBeUndefined();
});

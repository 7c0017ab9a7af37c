import { expect, test } from "vitest";
import {
  base32,
  matchTotp,
  newTotpSecret,
  otpauthUri,
  stepAt,
  totpCode,
} from "../../functions/lib/security/totp.ts";
import { newTypedCode, typedCodeHash } from "../../functions/lib/security/typed-code.ts";

const SECRET = base32(Buffer.from("12345678901234567890"));

/** RFC 6238, appendix B, for SHA-1; the last six of its eight digits. */
test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("the code of second %d is the one of RFC 6238", (second, code) => {
  expect(totpCode(SECRET, stepAt(second * 1000))).toBe(code);
});

/** RFC 4648, section 10. */
test.each([
  ["", ""],
  ["f", "MY"],
  ["foobar", "MZXW6YTBOI"],
])("base32 of %j is %j", (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded);
});

test("a code is accepted a step early or late, and no further", () => {
  const secret = newTotpSecret();
  const nowMs = 1_800_000_000_000;
  const step = stepAt(nowMs);
  for (const drift of [-1, 0, 1])
    expect(matchTotp(secret, totpCode(secret, step + drift), nowMs)).toBe(step + drift);
  const near = [-1, 0, 1].map((drift) => totpCode(secret, step + drift));
  for (const drift of [-2, 2]) {
    const code = totpCode(secret, step + drift);
    if (!near.includes(code)) expect(matchTotp(secret, code, nowMs)).toBeUndefined();
  }
});

test.each(["", "12345", "1234567", "12345a", "１２３４５６", "-12345"])("%j is no code", (code) => {
  expect(matchTotp(SECRET, code, Date.now())).toBeUndefined();
});

test("a secret has 160 random bits", () => {
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
  expect(newTotpSecret()).not.toBe(newTotpSecret());
});

test("names of any kind make one address for authenticator apps", () => {
  const uri = new URL(otpauthUri(SECRET, "Ana: & Ben?", "käse/#:x"));
  expect(uri.searchParams.get("secret")).toBe(SECRET);
  expect(uri.searchParams.get("issuer")).toBe("Ana  & Ben?");
  expect(decodeURIComponent(uri.pathname.slice(1))).toBe("Ana  & Ben?:käse/# x");
});

test("typed codes differ, are the same however they are written, and serve one purpose", () => {
  const hash = (code: string) => typedCodeHash("recovery", code);
  const codes = Array.from({ length: 10 }, newTypedCode);
  expect(new Set(codes.map(hash)).size).toBe(10);
  const [code = ""] = codes;
  expect(code).toMatch(/^(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
  expect(hash(code.toLowerCase().replaceAll("-", " "))).toBe(hash(code));
  expect(hash("123456")).toBeUndefined();
  expect(typedCodeHash("enrolment", code)).not.toBe(hash(code));
});

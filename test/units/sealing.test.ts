import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { seal, unseal } from "../../functions/lib/security/sealing.ts";

const key = () => randomBytes(32).toString("base64");
const [first, second] = [key(), key()];
const env = { SEAL_KEYS: first };

test("a sealed text opens again", () => {
  for (const secret of ["", "s-AbC", "日本語 🎵"]) expect(unseal(env, seal(env, secret))).toBe(secret);
});

test("sealing twice gives different results", () => {
  expect(seal(env, "same").equals(seal(env, "same"))).toBe(false);
});

test("a change of any one byte is refused", () => {
  const sealed = seal(env, "s-12345678");
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed);
    changed[i] = (changed[i] ?? 0) ^ 1;
    expect(unseal(env, changed), `byte ${i}`).toBeUndefined();
  }
});

test("input shorter than IV and tag does not open", () => {
  const sealed = seal(env, "s-12345678");
  for (let length = 0; length < sealed.length; length++)
    expect(unseal(env, sealed.subarray(0, length)), `${length} bytes`).toBeUndefined();
});

test("a truncated tag opens nothing, although AES-GCM would accept four bytes", () => {
  const sealed = seal(env, "");
  for (let length = 0; length < sealed.length; length++)
    expect(unseal(env, sealed.subarray(0, length)), `${length} bytes`).toBeUndefined();
});

test("keys rotate: the first seals, all open, a dropped one no longer", () => {
  const old = seal(env, "kept");
  const both = { SEAL_KEYS: `${second},${first}` };
  expect(unseal(both, old)).toBe("kept");
  expect(unseal({ SEAL_KEYS: second }, seal(both, "fresh"))).toBe("fresh");
  expect(unseal({ SEAL_KEYS: second }, old)).toBeUndefined();
});

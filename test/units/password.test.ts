import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "../../functions/accounts/password.ts";

test("a password verifies against its own hash, and no other does", async () => {
  const stored = await hashPassword("correct horse");
  expect(await verifyPassword("correct horse", stored)).toBe(true);
  for (const other of ["", "correct hors", "correct horse ", "Correct horse"])
    expect(await verifyPassword(other, stored), other).toBe(false);
});

test("the hash is a PHC string of the cost that the platform bears, salted anew each time", async () => {
  const [one, two] = await Promise.all([hashPassword("same"), hashPassword("same")]);
  expect(one).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(two).not.toBe(one);
  // N·r·p may be 2^20 at most on Workers.
  expect(2 ** 14 * 8 * 5).toBeLessThanOrEqual(2 ** 20);
});

test("every character counts, past the ASCII ones and the long ones", async () => {
  const long = `${"ä".repeat(511)}x`;
  const stored = await hashPassword(long);
  expect(await verifyPassword(long, stored)).toBe(true);
  expect(await verifyPassword(`${"ä".repeat(511)}y`, stored)).toBe(false);
  expect(await verifyPassword("pass", await hashPassword("раss"))).toBe(false);
});

test("a hash of another cost verifies by the cost that it names", async () => {
  const cheap = "$scrypt$ln=4,r=8,p=1$c2FsdHNhbHRzYWx0c2FsdA$";
  const { scryptSync } = await import("node:crypto");
  const key = scryptSync("old", "saltsaltsaltsalt", 32, { N: 16, r: 8, p: 1 });
  expect(await verifyPassword("old", cheap + key.toString("base64").replaceAll("=", ""))).toBe(true);
});

test.each([
  "",
  "x",
  "$scrypt$",
  "$scrypt$ln=14,r=8,p=5$c2FsdA",
  "$argon2id$v=19$m=1,t=1,p=1$c2FsdA$a2V5",
  "plain",
])("%j is no hash, so nothing verifies against it", async (stored) => {
  expect(await verifyPassword("", stored)).toBe(false);
  expect(await verifyPassword(stored, stored)).toBe(false);
});

import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "../../functions/lib/security/password.ts";
import { CHEAP_PASSWORDS } from "../support/cheap-passwords.ts";

/** Which passwords a hash takes does not depend on its cost. */
const cheapHash = (password: string) => hashPassword(password, CHEAP_PASSWORDS);

test("a password verifies against its own hash only", async () => {
  const stored = await cheapHash("correct horse");
  expect(await verifyPassword("correct horse", stored)).toBe(true);
  for (const other of ["", "correct hors", "correct horse ", "Correct horse"])
    expect(await verifyPassword(other, stored), other).toBe(false);
});

test("the hash is a PHC string at the platform's highest cost, with a new salt each time", async () => {
  const [one, two] = await Promise.all([hashPassword("same"), hashPassword("same")]);
  expect(one).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(two).not.toBe(one);
  expect(await verifyPassword("same", one)).toBe(true);
  // Workers allow N·r·p up to 2^20.
  expect(2 ** 14 * 8 * 5).toBeLessThanOrEqual(2 ** 20);
});

test("every character counts, including non-ASCII ones and those of long passwords", async () => {
  const long = `${"ä".repeat(511)}x`;
  const stored = await cheapHash(long);
  expect(await verifyPassword(long, stored)).toBe(true);
  expect(await verifyPassword(`${"ä".repeat(511)}y`, stored)).toBe(false);
  expect(await verifyPassword("pass", await cheapHash("раss"))).toBe(false);
});

test("a hash of another cost verifies at the cost that it states", async () => {
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
])("no password verifies against %j, which is no hash", async (stored) => {
  for (const password of ["", stored])
    expect(await verifyPassword(password, stored, CHEAP_PASSWORDS)).toBe(false);
});

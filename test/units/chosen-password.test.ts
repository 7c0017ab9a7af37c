import { expect, test } from "vitest";
import { ChosenPassword } from "../../functions/api/users/account-input.ts";

test.each([
  "password",
  "Password123!",
  "QWERTYUIOP",
  "iloveyou2",
  "letmein99",
  "11111111",
  "0123456789",
  "zzzzzzzzzzzz",
  "1q2w3e4r",
])("%j is among the first guesses of an attacker", (password) => {
  expect(ChosenPassword.safeParse(password).success).toBe(false);
});

test.each(["short", "seven77", "a".repeat(1025), `${"é".repeat(513)}`, "nul\0byte in it"])(
  "%j has the wrong size or holds characters that nobody can type",
  (password) => {
    expect(ChosenPassword.safeParse(password).success).toBe(false);
  },
);

test.each([
  "correct horse battery",
  "  spaces count  ",
  "パスワードではない八",
  `x${"é".repeat(511)}`,
  "my password is long",
])("%j may be chosen and stays unchanged", (password) => {
  expect(ChosenPassword.parse(password)).toBe(password);
});

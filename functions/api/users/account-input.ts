import * as z from "zod";
import { isCommon } from "../../lib/security/common-passwords.ts";
import { MAX_PASSWORD_BYTES } from "../../lib/security/password.ts";
import { about, label, nameText } from "../../lib/text/fields.ts";
import { usernameKeys } from "../../lib/text/look-alike.ts";
import { hasOtherLetters, looksLikeId } from "../../lib/text/permalink.ts";
import { isReserved } from "../../lib/text/reserved.ts";
import { slug } from "../../lib/text/slug.ts";

/** Messages follow the field's name: "Username is reserved". */

/** Single-line text. */
export const line = (max: number) =>
  label(max).refine((value) => !/[\t\r\n]/.test(value), "must be a single line");

/** One letter of a non-Latin script, or one emoji, suffices. */
const isLongEnough = (name: string) =>
  slug(name).length >= 2 || hasOtherLetters(name) || /\p{RGI_Emoji}/v.test(name);

export const RESERVED = "is reserved";

/** The public name, in any script. Names that users choose must pass `isReservedName`, too. */
export const Username = nameText(50)
  .refine((name) => !/[\t\r\n\p{Zl}\p{Zp}]/u.test(name), "must be a single line")
  .min(1, "must not be empty")
  .refine(isLongEnough, "needs two letters or digits at least")
  .refine((name) => !isReserved(slug(name)), RESERVED)
  // Operators name users by id and by e-mail address too.
  .refine((name) => !looksLikeId(usernameKeys(name).username_key), "must not be a number like an id")
  .refine((name) => !z.email().safeParse(name).success, "must not be an e-mail address")
  .meta(about("Name as shown.", "ana"));

/** Hints at letters that look alike, because the difference is easily missed. */
export const USERNAME_TAKEN = "is taken, or looks like one that is; choose another";

const MAX_EMAIL_LENGTH = 254;

export const Email = z
  .string()
  .trim()
  .max(MAX_EMAIL_LENGTH, `may have ${MAX_EMAIL_LENGTH} characters at most`)
  .pipe(z.email("must look like name@example.com"));

/** Not trimmed: the password counts exactly as typed. */
export const Password = z
  .string()
  .min(8, "needs 8 characters at least")
  // The hash pads with zeros, so that a trailing zero would change nothing.
  .refine((password) => !password.includes("\0"), "must not contain a zero character")
  .refine(
    (password) => Buffer.byteLength(password) <= MAX_PASSWORD_BYTES,
    `may have ${MAX_PASSWORD_BYTES} bytes at most`,
  );

/** Rules for passwords chosen on our pages. Operators are exempt. */
export const ChosenPassword = Password.refine(
  (password) => !isCommon(password),
  "is among the first that attackers try; choose another",
);

/** Credentials for signing in. Errors reveal no details, and an impossible password is not hashed. */
export const Credentials = z.object({
  email: line(MAX_EMAIL_LENGTH).min(1),
  password: z
    .string()
    .min(1)
    .refine((password) => Buffer.byteLength(password) <= MAX_PASSWORD_BYTES),
});

export const Plan = z.enum(["free", "artist", "artist-pro"]);

/** Returns the first message for each field. */
export function problemsOf(error: z.ZodError): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const { path, message } of error.issues) problems[String(path[0] ?? "form")] ??= message;
  return problems;
}

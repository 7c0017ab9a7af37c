import prototypes from "unhomoglyph/data.json" with { type: "json" };
import type { UsernameKeys } from "../../../db/queries/accounts.ts";

const prototypeOf: Record<string, string | undefined> = prototypes;

/** Maps look-alikes to one form by Unicode's confusables (UTS #39), including `rn` and `m`. */
const inPrototypes = (text: string) => Array.from(text, (letter) => prototypeOf[letter] ?? letter).join("");

/**
 * Combining marks of no script of their own, marks around a letter such as a keycap's, and the selectors that color an emoji.
 * Other marks, such as vowels of Hindi, tell names apart.
 */
const ACCENTS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\p{Me}]/gu;

const withoutAccents = (text: string) => text.normalize("NFKD").replace(ACCENTS, "");

const inOneCase = (text: string) => withoutAccents(withoutAccents(text).toUpperCase().toLowerCase());

/** Case comes second: capital I looks like l. Greek Υ looks like Y, but υ looks like u. */
const inOneShape = (text: string) =>
  inPrototypes(inOneCase(inPrototypes(withoutAccents(text)))).toLowerCase();

const NO_LETTERS = /[^\p{L}\p{M}\p{N}]+/gu;

/** Drops spaces and signs, unless the name consists of signs alone. */
const lettersOf = (text: string) => text.normalize("NFC").replace(NO_LETTERS, "") || text.replace(/\s+/g, "");

/** Both are unique in the database, so that nobody can pass for another user. */
export const usernameKeys = (name: string): UsernameKeys => ({
  username_key: lettersOf(inOneCase(name)),
  look_alike_key: lettersOf(inOneShape(name)),
});

/** A stricter key for the few most important names: i, l, I and 1 are one letter. */
const strictKey = (name: string) => lettersOf(inOneShape(name)).replaceAll("i", "l");

const SERVICE = strictKey("soundpost");

const STAFF = new Set(
  `abuse admin administrator billing contact help hostmaster info mod moderator noreply official operator postmaster root
  security staff support sysadmin system team verified webmaster`
    .split(/\s+/)
    .map(strictKey),
);

/** Letters. Shorter instance names may be part of ordinary words. */
const MANY_LETTERS = 8;

/** A letter of a script that sets no spaces between words, or ties endings to them. */
const UNBROKEN =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/gu;
const MANY_UNBROKEN = 3;

/** Counts the letters of the name itself: its key has two for an `m`. */
const isLongName = (name: string) =>
  Array.from(lettersOf(name)).length >= MANY_LETTERS || (name.match(UNBROKEN) ?? []).length >= MANY_UNBROKEN;

/**
 * Whether the name contains the service's, like `Soundpost Berlin`, or the instance's: a short one only as a whole
 * word.
 */
export function namesService(name: string, instance = ""): boolean {
  const [key, own] = [strictKey(name), strictKey(instance)];
  if (key.includes(SERVICE)) return true;
  if (isLongName(instance)) return key.includes(own);
  const words = name.split(NO_LETTERS).map(strictKey);
  return (
    own !== "" && words.some((_, from) => words.some((_, to) => words.slice(from, to + 1).join("") === own))
  );
}

/** Whether the name sounds like staff, such as `Support`, `a.d.m.i.n` or `Official Support Team ✓`. */
function isStaffName(name: string): boolean {
  const words = name.split(/[\s_.,:;/|+&-]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  return (
    STAFF.has(strictKey(name)) || (words.length > 0 && words.every((word) => STAFF.has(strictKey(word))))
  );
}

/** Whether nobody may choose the username, at an instance of this name. Operators may assign it. */
export const isReservedName = (name: string, instance: string): boolean =>
  isStaffName(name) || namesService(name, instance);

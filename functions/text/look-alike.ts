import prototypes from "unhomoglyph/data.json" with { type: "json" };
import type { UsernameKeys } from "../../db/queries/accounts.ts";

const prototypeOf: Record<string, string | undefined> = prototypes;

/** Unicode's confusables (UTS #39): what looks the same becomes the same, `rn` and `m` too. */
const inPrototypes = (text: string) => Array.from(text, (letter) => prototypeOf[letter] ?? letter).join("");

const withoutAccents = (text: string) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "");

const inOneCase = (text: string) => withoutAccents(withoutAccents(text).toUpperCase().toLowerCase());

/** Case comes second: a capital I looks like l, and a Greek Υ like Y while υ looks like u. */
const inOneShape = (text: string) =>
  inPrototypes(inOneCase(inPrototypes(withoutAccents(text)))).toLowerCase();

const NO_LETTERS = /[^\p{L}\p{M}\p{N}]+/gu;

/** Spaces and signs make no other name. Of a name without letters the signs count. */
const lettersOf = (text: string) => text.normalize("NFC").replace(NO_LETTERS, "") || text.replace(/\s+/g, "");

/** Both are unique in the database, so that nobody is taken for somebody else. */
export const usernameKeys = (name: string): UsernameKeys => ({
  username_key: lettersOf(inOneCase(name)),
  look_alike_key: lettersOf(inOneShape(name)),
});

/** Stricter, for the few names that matter most: i, l, I and 1 are one letter. */
const strictKey = (name: string) => lettersOf(inOneShape(name)).replaceAll("i", "l");

const SERVICE = strictKey("soundpost");

const STAFF = new Set(
  `abuse admin administrator billing contact help hostmaster info mod moderator noreply official operator postmaster root
  security staff support sysadmin system team verified webmaster`
    .split(/\s+/)
    .map(strictKey),
);

/** Whether the service seems to speak, as in `Soundpost Berlin`. */
export const namesService = (name: string): boolean => strictKey(name).includes(SERVICE);

/** Whether those who run the service seem to speak, as `Support`, `a.d.m.i.n` or `Official Support Team`. */
export function isStaffName(name: string): boolean {
  const words = name.split(/[\s_.,:;/|+&-]+/).filter(Boolean);
  return STAFF.has(strictKey(name)) || words.every((word) => STAFF.has(strictKey(word)));
}

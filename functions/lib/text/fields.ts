import * as z from "zod";

/** The largest integer that every JSON client reads exactly. */
const MAX_ID = Number.MAX_SAFE_INTEGER;

/** Describes a field in the API document. Not `examples`, which Zod drops where input is transformed. */
export const about = (description: string, example: unknown) => ({ description, example });

/** Documents text as the number or list that it encodes. */
export const documentedAs = (shown: Record<string, unknown>) => ({
  override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
    for (const keyword of ["pattern", "maxLength", "anyOf"]) delete jsonSchema[keyword];
    Object.assign(jsonSchema, shown);
  },
});

/** Applies `documentedAs` where Zod itself makes the JSON Schema, which copies it as a field. */
export function applyOwn({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void {
  const { override } = jsonSchema;
  if (typeof override !== "function") return;
  delete jsonSchema.override;
  override({ jsonSchema });
}

/**
 * An id in a path or query: an integer, or the URN `<namespace>:<kind>:<integer>`. URNs are parsed here and
 * never stored.
 */
export const idText = (kind: "users" | "tracks" | "playlists" | "comments" | "connections") =>
  z
    .string()
    .regex(new RegExp(`^(?:[a-z][a-z0-9-]*:${kind}:)?[1-9][0-9]{0,15}$`), "must be an id or a URN")
    .transform((text) => Number(text.slice(text.lastIndexOf(":") + 1)))
    .refine((id) => id <= MAX_ID, "is out of range")
    .meta(documentedAs({ type: "integer", minimum: 1 }));

const ID = /^[1-9][0-9]{0,15}$/;

/** Whether a text has the form of an id. */
export const isId = (text = ""): boolean => ID.test(text);

/** An integer id in a path. */
export const plainIdText = z
  .string()
  .regex(ID, "must be an id")
  .transform(Number)
  .refine((id) => id <= MAX_ID, "is out of range")
  .meta(documentedAs({ type: "integer", minimum: 1 }));

/** An integer in a query or form, within bounds. */
export const integerText = (min: number, max: number) =>
  z
    .string()
    .regex(/^-?[0-9]{1,15}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`)
    .meta(documentedAs({ type: "integer", minimum: min, maximum: max }));

/** Control characters except tab and line ends. */
const CONTROL = /[^\P{Cc}\t\n\r]/u;

const tooLong = (max: number) => `may have ${max} characters at most`;

/** Text that PostgreSQL, XML and HTML can all hold: well-formed, without control characters. With `abort`, no further rule reads an overlong one. */
export const text = (max: number, { abort = false } = {}) =>
  z
    .string()
    .trim()
    .max(max, { error: tooLong(max), abort })
    .refine((value) => value.isWellFormed() && !CONTROL.test(value), "contains characters that are not text");

/** Embeddings, overrides and isolates of bidirectional text. */
export const DIRECTIONS = /[\u202A-\u202E\u2066-\u2069]/g;

/** A title or name. Drops characters that would reverse the text beside it on a page. */
export const label = (max: number) =>
  text(max)
    .overwrite((written) => written.replace(DIRECTIONS, ""))
    .trim();

export const isWebAddress = (text: string): boolean =>
  /^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text);

const YES = ["true", "1", "yes", "on"];
const NO = ["false", "0", "no", "off"];

const NO_FLAG = "must be true or false, 1 or 0, yes or no, on or off";

/** A boolean as a word, in any case. */
const flagWord = z.string().transform((written, ctx) => {
  const word = written.toLowerCase();
  if (YES.includes(word) || NO.includes(word)) return YES.includes(word);
  ctx.addIssue({ code: "custom", message: NO_FLAG, input: written });
  return z.NEVER;
});

/** A boolean in a query. */
export const flagText = flagWord.meta({ type: "boolean" });

/** A boolean as in JSON, where some clients send 1 and 0, or as a word in forms. */
export const flag = z
  .union([z.boolean(), z.literal([0, 1]).transform((digit) => digit === 1), flagWord], NO_FLAG)
  .meta(documentedAs({ type: "boolean" }));

/** One of a few words. The error lists them all. */
export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, `must be one of ${values.join(", ")}`);

/** Invisible, bidirectional and private-use characters, which let one name pass for another. */
const DISGUISE = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Co}]/u;

const EMOJI = /\p{RGI_Emoji}/gv;

/**
 * A person's name. Its length is counted as it is stored: NFC makes three characters of some Hebrew letters. An overlong one is
 * refused before other rules read it, which take seconds for a megabyte. Emoji may contain joiners, which are invisible elsewhere.
 */
export const nameText = (max: number) =>
  text(max, { abort: true })
    .normalize("NFC")
    .refine(({ length }) => length <= max, { error: tooLong(max), abort: true })
    .refine((name) => !DISGUISE.test(name.replace(EMOJI, "")), "contains invisible characters");

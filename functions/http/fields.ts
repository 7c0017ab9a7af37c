import * as z from "zod";

/** The largest integer that JSON clients read exactly. */
const MAX_ID = Number.MAX_SAFE_INTEGER;

/** An id in a path or query: the integer, or the URN `<namespace>:<kind>:<integer>`, which is parsed here and never stored. */
export const idText = (kind: "users" | "tracks" | "playlists" | "comments" | "connections") =>
  z
    .string()
    .regex(new RegExp(`^(?:[a-z][a-z0-9-]*:${kind}:)?[1-9][0-9]{0,15}$`), "must be an id or a URN")
    .transform((text) => Number(text.slice(text.lastIndexOf(":") + 1)))
    .refine((id) => id <= MAX_ID, "is out of range");

/** A plain integer id in a path. */
export const plainIdText = z
  .string()
  .regex(/^[1-9][0-9]{0,15}$/, "must be an id")
  .transform(Number)
  .refine((id) => id <= MAX_ID, "is out of range");

/** A whole number in a query or form, within bounds. */
export const integerText = (min: number, max: number) =>
  z
    .string()
    .regex(/^-?[0-9]{1,15}$/, "must be a whole number")
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`);

/** Control characters, but for tab and line ends. */
const CONTROL = /[^\P{Cc}\t\n\r]/u;

/** Text that PostgreSQL, XML and a page can all hold: well-formed, no control characters. */
export const text = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `may have ${max} characters at most`)
    .refine((value) => value.isWellFormed() && !CONTROL.test(value), "holds characters that are not text");

/** A boolean as JSON has it, or as forms write it. */
export const flag = z.union(
  [z.boolean(), z.enum(["true", "false", "1", "0"]).transform((value) => value === "true" || value === "1")],
  "must be true or false",
);

/** What cannot be seen, or turns the reading direction: with it one name would pass for another. Joiners belong to words. */
const DISGUISE = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/;

/** A name that people go by. */
export const nameText = (max: number) =>
  text(max).refine((name) => !DISGUISE.test(name), "holds characters that cannot be seen");

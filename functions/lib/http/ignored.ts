import type { Context } from "hono";
import * as z from "zod";
import { shortened } from "../text/plain-text.ts";
import { invalid } from "./errors.ts";
import { type Shape, shapeOf } from "./format/shape.ts";
import { urlOf } from "./url.ts";

declare module "hono" {
  interface ContextVariableMap {
    /** Names that the request has and nobody reads, such as a misspelt field. */
    ignored: string[] | undefined;
  }
}

/** The reply's header. */
export const IGNORED = "Soundpost-Ignored";

export const PREFER = z.object({
  Prefer: z
    .string()
    .optional()
    .describe(
      "`handling=strict` (RFC 7240): unknown fields and parameters are 422. Without it they are ignored, and the reply's `Soundpost-Ignored` names them.",
    ),
});

/** Formats and credentials of older clients, which every resource takes. `_` is how pages pass by caches. */
const EVERYWHERE = new Set("format callback _ oauth_token access_token client_id consumer_key".split(" "));

/** Limits of the header, because servers refuse long ones, and of a refusal: a body may be one name of a megabyte. */
const MOST_NAMES = 20;
const MOST_CHARACTERS = 64;

/** Looks for parameters that the operation does not have. */
export function noteUnknownParameters(c: Context, known: ReadonlySet<string>): void {
  const url = urlOf(c);
  const queryAt = url.indexOf("?");
  if (queryAt < 0) return;
  const names = [...new URLSearchParams(url.slice(queryAt)).keys()];
  note(
    c,
    names.filter((name) => !known.has(name) && !EVERYWHERE.has(name)),
    "is no parameter of this operation",
  );
}

/** Looks for fields that the body's schema does not have, or that only replies have. */
export function noteUnknownFields(c: Context, schema: z.ZodType, body: object): void {
  const found = unknownIn(shapeOf(schema), body, "").filter((name) => !EVERYWHERE.has(name));
  note(c, found, "is no field that this operation takes");
}

function unknownIn({ fields, item }: Shape, value: unknown, path: string): string[] {
  if (Array.isArray(value)) return item ? value.flatMap((one) => unknownIn(item, one, `${path}[]`)) : [];
  // Without fields of its own it is a text, or an object of any names.
  if (typeof value !== "object" || value === null || !fields.size) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = fields.get(name);
    const at = path ? `${path}[${name}]` : name;
    return field ? unknownIn(field, inner, at) : [at];
  });
}

function note(c: Context, found: string[], fault: string): void {
  const names = [...new Set(found)].slice(0, MOST_NAMES);
  if (!names.length) return;
  if (isStrict(c)) invalid(names.map((name) => `${shortened(name, MOST_CHARACTERS)}: ${fault}`));
  c.set("ignored", [...(c.get("ignored") ?? []), ...names].slice(0, MOST_NAMES));
}

/** RFC 7240 §2. */
const isStrict = (c: Context): boolean =>
  /(?:^|[,\s])handling\s*=\s*"?strict"?\s*(?:$|[,;])/i.test(c.req.header("Prefer") ?? "");

/** The header's text. Characters that no header may hold are escaped as in addresses. */
export const ignoredInWords = (names: readonly string[]): string => names.map(escaped).join(", ");

const escaped = (name: string): string =>
  (/^[\w.[\]-]+$/.test(name) ? name : encodeURIComponent(name.toWellFormed())).slice(0, MOST_CHARACTERS);

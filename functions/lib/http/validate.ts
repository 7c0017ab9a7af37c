import type { Context } from "hono";
import * as z from "zod";
import { issueInWords } from "../text/issue-words.ts";
import { fileFields } from "./body/form-fields.ts";
import { isForm, isMultipart } from "./body/multipart.ts";
import type { Files } from "./body/multipart-body.ts";
import { type BodyType, isUtf8, readBody } from "./body/read.ts";
import { elementValue, XmlElement } from "./body/xml-body.ts";
import type { AppEnv } from "./env.ts";
import { badRequest, invalid, malformed, notFound } from "./errors.ts";
import { shapeOf } from "./format/shape.ts";
import { identifyForm } from "./idempotency.ts";
import { noteUnknownFields } from "./ignored.ts";
import { urlOf } from "./url.ts";

/** Parses path parameters. A malformed id names nothing: 404. */
export const parseParams =
  <Schema extends z.ZodObject>(schema: Schema) =>
  (c: Context): z.output<Schema> => {
    const parsed = schema.safeParse(c.req.param());
    return parsed.success ? parsed.data : notFound("Resource");
  };

/**
 * Parses the query by name. Unknown parameters and empty filters are ignored, a repeated one is 400. `refuse` throws
 * for a malformed one or a list.
 */
export function parseQuery<Schema extends z.ZodObject>(
  schema: Schema,
  refuse: typeof invalid = invalid,
): (c: Context) => z.output<Schema> {
  // Most requests have no query, which always parses to the same value.
  let ofNothing: { parsed: z.output<Schema> } | undefined;
  return (c) => {
    const url = urlOf(c);
    const queryAt = url.indexOf("?");
    if (queryAt >= 0) {
      const query = url.slice(queryAt);
      checkEscapes(query);
      const parsed = validate(schema, queryFields(c, schema), refuse);
      refuseLists(query, schema, refuse);
      return parsed;
    }
    if (!ofNothing) {
      ofNothing = { parsed: validate(schema, {}, refuse) };
      Object.freeze(ofNothing.parsed);
    }
    return ofNothing.parsed;
  };
}

/** Refuses escapes that Hono could not decode. A percent sign that escapes nothing stands for itself. */
function checkEscapes(query: string): void {
  if (query.includes("%") && !isUtf8(query.replace(/%(?![0-9a-f]{2})/gi, "%25")))
    badRequest("The query is not valid UTF-8");
}

/** Refused if empty: an empty cursor would restart the list again and again. */
const NEVER_EMPTY = new Set(["limit", "cursor", "offset", "uuid[to]"]);

function queryFields(c: Context, schema: z.ZodObject): Record<string, string> {
  const given: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const values = c.req.queries(name);
    if (values && values.length > 1) badRequest(`${name} was sent more than once`, "repeated-parameter");
    if (values?.[0] || (values && NEVER_EMPTY.has(name))) given[name] = values[0] ?? "";
  }
  return given;
}

/** Refuses `q[]=a` and `q[0]=a`, two spellings of a list. Ignoring them would return unfiltered items. */
function refuseLists(query: string, schema: z.ZodObject, refuse: typeof invalid): void {
  if (!/\[|%5b/i.test(query)) return;
  for (const name of new URLSearchParams(query).keys()) {
    const single = name.replace(/\[[^[\]]*\]$/, "");
    if (Object.hasOwn(schema.shape, single) && !Object.hasOwn(schema.shape, name))
      refuse(`${single}: must be one value; commas separate the entries of a list`);
  }
}

/** A route that accepts JSON accepts XML. */
export const acceptedTypes = (types: readonly BodyType[]): readonly BodyType[] =>
  types.includes("json") ? [...types, "xml"] : types;

/** Without a body, no type is wrong: its fields are missing. */
const bringsNothing = ({ headers, body }: Request): boolean =>
  !headers.has("Content-Type") && (body === null || headers.get("Content-Length") === "0");

interface BodyRules<Schema extends z.ZodType> {
  /** The field that a bare array replaces. */
  bare?: string | undefined;
  /** Parses forms in place of `schema`. */
  form?: z.ZodType<z.output<Schema>> | undefined;
}

export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  types: readonly BodyType[] = ["json"],
  { bare, form }: BodyRules<Schema> = {},
): (c: Context<AppEnv>) => Promise<z.output<Schema>> {
  const accepted = acceptedTypes(types);
  let files: Files | undefined;
  return async (c) => {
    if (types.includes("multipart")) files ??= { fields: fileFields(form ?? schema) };
    const read = bringsNothing(c.req.raw) ? {} : await readBody(c, accepted, files);
    const sent = read instanceof XmlElement ? elementValue(read, shapeOf(schema)) : read;
    const given = bare !== undefined && Array.isArray(sent) ? { [bare]: sent } : sent;
    if (typeof given !== "object" || given === null || Array.isArray(given))
      malformed("The body must be an object");
    const expected = form && isForm(c.req.raw) ? form : schema;
    noteUnknownFields(c, expected, given as object);
    const parsed = validate(expected, given);
    if (isMultipart(c.req.raw)) identifyForm(c, given);
    return parsed;
  };
}

/** Returns the schema, or its union with the bare array. */
export function withBare(schema: z.ZodType, bare: string | undefined): z.ZodType {
  const list = bare !== undefined && schema instanceof z.ZodObject ? schema.shape[bare] : undefined;
  return list ? z.union([schema, list]) : schema;
}

/** Returns the parsed value, or refuses with every wrong field. A missing outermost field is 400. */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  refuse: typeof invalid = invalid,
): z.output<Schema> {
  const parsed = schema.safeParse(given, { reportInput: true, error: issueInWords });
  if (parsed.success) return parsed.data;
  const missingOutermost = parsed.error.issues.filter(
    (issue) => issue.path.length === 1 && issue.input === undefined,
  );
  if (missingOutermost.length) return badRequest(missingOutermost.map(describeIssue), "missing-parameter");
  return refuse(parsed.error.issues.map(describeIssue));
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const field = issue.path.map((step, depth) => (depth ? `[${String(step)}]` : String(step))).join("");
  const message = issue.input === undefined ? "is missing" : issue.message;
  return field ? `${field}: ${message}` : message;
}

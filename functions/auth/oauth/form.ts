import type { Context } from "hono";
import { HttpError } from "../../lib/errors/http-error.ts";
import { readBody } from "../../lib/http/body/read.ts";
import { badRequest } from "../../lib/http/errors.ts";
import { asDescription, OAuthError } from "./errors.ts";

/** Parameters of a form body. An empty one counts as missing: RFC 6749 §3.2. */
export type Parameters = Record<string, string>;

/** Parses the body strictly: a repeated parameter is refused, because either value could be meant. */
export async function readForm(c: Context): Promise<Parameters> {
  try {
    const form = (await readBody(c, ["form"])) as Record<string, unknown>;
    // `a[b]=c` makes an object, which is an unknown parameter and ignored.
    const texts = Object.entries(form).filter((one): one is [string, string] => typeof one[1] === "string");
    // NUL cannot be stored. U+FFFD replaces bytes that are not UTF-8.
    if (texts.some(([, value]) => /[\0\ufffd]/.test(value))) badRequest("A parameter is not valid text");
    return Object.fromEntries(texts.filter(([, value]) => value !== ""));
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.status === 413) throw toOAuthError(error);
    throw new OAuthError("invalid_request", asDescription(error.causes[0] ?? "malformed body"));
  }
}

/** Keeps the status and converts the body to OAuth's format. */
function toOAuthError(error: HttpError): HttpError {
  const converted = new HttpError(error.status, error.causes);
  converted.fields = { error: "invalid_request", error_description: error.causes[0] ?? "" };
  return converted;
}

export function required(form: Parameters, name: string): string {
  const value = form[name];
  if (value === undefined) throw new OAuthError("invalid_request", `${name} is missing`);
  return value;
}

import type { Context } from "hono";
import { readBody } from "../http/body/read.ts";
import { badRequest } from "../http/errors.ts";
import { HttpError } from "../http-error.ts";
import { asDescription, OAuthError } from "./errors.ts";

/** Parameters of a form body. Empty is as absent: RFC 6749 §3.2. */
export type Parameters = Record<string, string>;

/** The raw body, parsed strictly: a repeated parameter has no right value, and is refused. */
export async function readForm(c: Context): Promise<Parameters> {
  try {
    const form = (await readBody(c, ["form"])) as Record<string, unknown>;
    // `a[b]=c` makes an object, which is no parameter of ours: unknown ones are ignored.
    const texts = Object.entries(form).filter((one): one is [string, string] => typeof one[1] === "string");
    // NUL cannot be stored; U+FFFD is what bytes that are no UTF-8 became.
    if (texts.some(([, value]) => /[\0\ufffd]/.test(value))) badRequest("A parameter is not valid text");
    return Object.fromEntries(texts.filter(([, value]) => value !== ""));
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.status === 413) throw asOAuth(error);
    throw new OAuthError("invalid_request", asDescription(error.causes[0] ?? "malformed body"));
  }
}

/** Keeps the status, and says it in the endpoint's own way. */
function asOAuth(error: HttpError): HttpError {
  const told = new HttpError(error.status, error.causes);
  told.fields = { error: "invalid_request", error_description: error.causes[0] ?? "" };
  return told;
}

export function required(form: Parameters, name: string): string {
  const value = form[name];
  if (value === undefined) throw new OAuthError("invalid_request", `${name} is missing`);
  return value;
}

import { badRequest } from "../errors.ts";

const MAX_CALLBACK_LENGTH = 128;
/** A function name with up to three qualifiers. It runs no code until it is called. */
const CALLBACK = /^[A-Za-z_$][\w$]{0,63}(?:\.[A-Za-z_$][\w$]{0,63}){0,3}$/;

/** Reserved words, which cannot name a function: ECMAScript §12.7.2, in strict code, and the literals. */
const RESERVED = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends false
  finally for function if implements import in instanceof interface let new null package private protected public return
  static super switch this throw true try typeof var void while with yield`.split(/\s+/),
);

/** Returns the callback's name, if it can be called. */
export function callableName(sent: readonly string[]): string {
  const [name, ...others] = sent;
  if (name === undefined) return badRequest("callback: is missing; JSONP needs a function to call");
  const callable =
    name.length <= MAX_CALLBACK_LENGTH &&
    CALLBACK.test(name) &&
    !name.split(".").some((word) => RESERVED.has(word));
  if (others.length || !callable) return badRequest("callback: must be the name of a JavaScript function");
  return name;
}

/** Characters that end a script element, or were line ends in JavaScript before 2019. */
const UNSAFE = /[<>&\u2028\u2029]/g;
const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * The leading comment keeps a client's text from being the file's first bytes, which could pass for another
 * type.
 */
export const jsonpText = (callback: string, value: unknown): string =>
  `/**/${callback}(${JSON.stringify(value).replace(UNSAFE, escaped)});`;

export const JSONP_HEADERS = {
  "Content-Type": "text/javascript; charset=utf-8",
  "Content-Disposition": "attachment; filename=f.txt",
};

/** Browsers ignore scripts with an error status. The status is always 200, and the error carries its code. */
export function errorInBody(status: number, value: unknown): unknown {
  if (status < 400 || typeof value !== "object" || value === null || "code" in value) return value;
  return { code: status, ...value };
}

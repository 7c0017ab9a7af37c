import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { refuse } from "./errors.ts";

/** Bytes of UTF-8, as S3 and R2 count them. */
const MAX_KEY_BYTES = 1024;

export interface S3Request {
  readonly method: string;
  /** Still encoded, because the signature covers this form. */
  readonly path: string;
  /** Empty if the request names no bucket. */
  readonly bucket: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: IncomingMessage;
}

export function parseRequest(message: IncomingMessage): S3Request {
  const url = message.url ?? "/";
  const mark = url.indexOf("?");
  const path = mark < 0 ? url : url.slice(0, mark);
  const [, bucket = "", key = ""] =
    /^\/([^/]*)\/?([\s\S]*)$/.exec(path) ?? refuse("InvalidURI", "Only path-style addresses are supported");
  return {
    method: message.method ?? "GET",
    path,
    bucket: decode(bucket),
    key: checkedKey(decode(key)),
    query: new URLSearchParams(mark < 0 ? "" : url.slice(mark + 1)),
    headers: message.headers,
    body: message,
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return refuse("InvalidURI", "The address is not UTF-8");
  }
}

export function checkedKey(key: string): string {
  if (Buffer.byteLength(key) > MAX_KEY_BYTES)
    refuse("KeyTooLongError", `Keys have at most ${MAX_KEY_BYTES} bytes`);
  if (key.includes("\0")) refuse("InvalidURI", "Keys may not contain NUL");
  return key;
}

export function header(request: S3Request, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

/** Node treats headers as Latin-1. The UTF-8 bytes of a query pass through unchanged. */
export function headerValue(text: string): string {
  for (const character of text) {
    if ((character < " " && character !== "\t") || character === "\x7f") {
      refuse("InvalidArgument", "A header may not contain control characters");
    }
  }
  return Buffer.from(text, "utf8").toString("latin1");
}

/** Presigned URLs may carry `x-amz-` headers in their query. S3 reads both places. */
export function amzValues(request: S3Request): Map<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of request.query) {
    if (/^x-amz-/i.test(name)) values.set(name.toLowerCase(), headerValue(value));
  }
  for (const name of Object.keys(request.headers)) {
    if (name.startsWith("x-amz-")) values.set(name, header(request, name) ?? "");
  }
  return values;
}

/** Returns `undefined` if absent. Refuses anything but a whole number in range. */
export function wholeNumber(request: S3Request, name: string, min: number, max: number): number | undefined {
  const text = request.query.get(name);
  if (text === null) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max)
    refuse("InvalidArgument", `${name} is a number from ${min} to ${max}`);
  return value;
}

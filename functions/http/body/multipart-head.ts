import { text } from "../../text/fields.ts";
import { invalid, malformed } from "../errors.ts";

const MAX_NAME_CHARACTERS = 200;
const MAX_FILENAME_CHARACTERS = 255;
const MAX_TYPE_CHARACTERS = 100;

/** The header of a multipart part. */
export interface PartHead {
  name: string;
  /** A file's name, perhaps empty; `undefined` for a plain field. */
  filename: string | undefined;
  type: string;
  /** Charset of a field's text. */
  charset: string;
}

/** Storage keeps the type as a header. */
const HEADER_VALUE = /^[\x21-\x7e]+$/;

/** RFC 7578 §4.8 allows no other encodings. Older clients send the first three. */
const IDENTITY = /^(?:binary|8bit|7bit)$/i;

/** `bytes` reach from the delimiter to the empty line. */
export function parseHead(bytes: Uint8Array): PartHead {
  const [padding = "", ...lines] = decoded(bytes).split("\r\n");
  if (padding.trim()) malformed("A delimiter is not at the end of its line");
  const headers = headersIn(lines);
  const disposition = headers.get("content-disposition") ?? malformed("A part has no Content-Disposition");
  const given = parametersOf(disposition);
  if (!/^form-data\s*(?:;|$)/i.test(disposition) || given.name === undefined)
    return malformed("A part has no name");
  const name = requireSingleLine(unescapeQuotes(given.name), MAX_NAME_CHARACTERS, "A part's name");
  if (!name) malformed("A part has no name");
  if (!IDENTITY.test(headers.get("content-transfer-encoding") ?? "binary"))
    malformed(`${name}: only the transfer encoding "binary" is accepted`);
  const filename = filenameOf(given, name);
  const standard = filename === undefined ? "text/plain" : "application/octet-stream";
  const contentType = headers.get("content-type") ?? standard;
  if (/^multipart\//i.test(contentType)) malformed(`${name}: a part cannot be multipart itself`);
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  const line = requireSingleLine(type, MAX_TYPE_CHARACTERS, `${name}: the media type`);
  return {
    name,
    filename: filename ?? (type === "application/octet-stream" ? "" : undefined),
    type: HEADER_VALUE.test(line) ? line : "application/octet-stream",
    charset: parametersOf(contentType).charset ?? "utf-8",
  };
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return invalid("A part's header is not valid UTF-8");
  }
}

function headersIn(lines: string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    // A pattern that also trims would take quadratic time on blanks.
    const [, name = "", value = ""] = /^([\w!#$%&'*+.^`|~-]+):(.*)$/.exec(line) ?? [];
    if (!name) malformed("A part's header is malformed");
    if (headers.has(name.toLowerCase())) malformed(`A part has more than one ${name}`);
    headers.set(name.toLowerCase(), value.trim());
  }
  return headers;
}

const PARAMETER = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g;

export function parametersOf(header: string): Partial<Record<string, string>> {
  const found: Partial<Record<string, string>> = Object.create(null);
  for (const [, name = "", quoted, bare] of header.matchAll(PARAMETER))
    found[name.toLowerCase()] ??= quoted ?? bare;
  return found;
}

/** curl writes a quote as `\"`, browsers as `%22`. Other backslashes are literal, as in Windows paths. */
const unescapeQuotes = (quoted: string) =>
  quoted.replace(/\\(["\\])/g, "$1").replace(/%(22|0D|0A)/gi, (escaped) => decodeURIComponent(escaped));

/** RFC 8187 `filename*` takes precedence over `filename`. Folders are dropped. */
function filenameOf(given: Partial<Record<string, string>>, name: string): string | undefined {
  const extended = /^utf-8'[^']*'(.*)$/i.exec(given["filename*"] ?? "")?.[1];
  const sent =
    extended === undefined ? given.filename && unescapeQuotes(given.filename) : decodePercent(extended, name);
  return (
    sent &&
    requireSingleLine(sent.replace(/^.*[/\\]/s, ""), MAX_FILENAME_CHARACTERS, `${name}: the file name`)
  );
}

function decodePercent(escaped: string, name: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return invalid(`${name}: the file name is not valid UTF-8`);
  }
}

/** Refuses all but one short line. */
function requireSingleLine(value: string, maxCharacters: number, what: string): string {
  const parsed = text(maxCharacters)
    .refine((line) => !/[\t\r\n]/.test(line), "is more than one line")
    .safeParse(value);
  return parsed.success ? parsed.data : invalid(`${what} ${parsed.error.issues[0]?.message}`);
}

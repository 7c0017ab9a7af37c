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

/** Parts of these media types are files, even without a file name. */
const FILE_TYPE = /^(?:(?:audio|image|video)\/|application\/(?:octet-stream|ogg)$)/;

const IS_ASCII = /^[\x20-\x7e]*$/;

/** RFC 7578 §4.8 allows no other encodings. Older clients send the first three. */
const IDENTITY = /^(?:binary|8bit|7bit)$/i;

/** `bytes` reach from the delimiter to the empty line. */
export function parseHead(bytes: Uint8Array): PartHead {
  const { head, isUtf8 } = decoded(bytes);
  const [padding = "", ...lines] = head.split("\r\n");
  if (padding.trim()) malformed("A delimiter is not at the end of its line");
  const headers = headersIn(lines);
  const disposition = headers.get("content-disposition") ?? malformed("A part has no Content-Disposition");
  const given = parametersOf(disposition);
  if (!/^form-data\s*(?:;|$)/i.test(disposition) || given.name === undefined)
    return malformed("A part has no name");
  const name = requireSingleLine(unescapeQuotes(given.name), MAX_NAME_CHARACTERS, "A part's name");
  if (!name) malformed("A part has no name");
  if (!isUtf8 && !IS_ASCII.test(name)) invalid("A part's name is not valid UTF-8");
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
    filename: filename ?? (FILE_TYPE.test(type) ? "" : undefined),
    type: HEADER_VALUE.test(line) ? line : "application/octet-stream",
    charset: parametersOf(contentType).charset ?? "utf-8",
  };
}

/** Older programs write file names in Latin-1. */
function decoded(bytes: Uint8Array): { head: string; isUtf8: boolean } {
  try {
    const head = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
    return { head, isUtf8: true };
  } catch {
    return { head: new TextDecoder("windows-1252").decode(bytes), isUtf8: false };
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
  const [, charset, extended] = /^(utf-8|iso-8859-1)'[^']*'(.*)$/i.exec(given["filename*"] ?? "") ?? [];
  const sent =
    charset === undefined || extended === undefined
      ? given.filename && unescapeQuotes(given.filename)
      : decodePercent(extended, charset, name);
  return (
    sent &&
    requireSingleLine(sent.replace(/^.*[/\\]/s, ""), MAX_FILENAME_CHARACTERS, `${name}: the file name`)
  );
}

function decodePercent(escaped: string, charset: string, name: string): string {
  const bytes = escaped.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, "latin1"));
  } catch {
    return invalid(`${name}: the file name is not valid ${charset.toUpperCase()}`);
  }
}

/** Refuses all but one short line. */
function requireSingleLine(value: string, maxCharacters: number, what: string): string {
  const parsed = text(maxCharacters)
    .refine((line) => !/[\t\r\n]/.test(line), "is more than one line")
    .safeParse(value);
  return parsed.success ? parsed.data : invalid(`${what} ${parsed.error.issues[0]?.message}`);
}

import { sizeInWords } from "../../text/size.ts";
import { invalid, malformed, tooLarge, unsupportedMediaType } from "../errors.ts";
import { type PartHead, parametersOf, parseHead } from "./multipart-head.ts";
import { Segments } from "./multipart-segments.ts";

const MAX_PARTS = 200;
/** Bytes of one part's header. */
const MAX_HEAD_BYTES = 8 * 1024;
/** Bytes of all plain fields together. */
const MAX_FIELDS_BYTES = 64 * 1024;

interface FormField {
  kind: "field";
  name: string;
  value: string;
}

export interface FormFile {
  kind: "file";
  name: string;
  filename: string;
  /** The client's claim. The content decides. */
  type: string;
  /** A chunk is valid until the next one is requested. Unread chunks are skipped. */
  content: AsyncIterable<Uint8Array>;
  /** Preserves the last chunk. `spare` takes its place in memory. */
  keep(spare?: ArrayBuffer): void;
}

export type FormPart = FormField | FormFile;

/** Either form: multipart or urlencoded. */
export const isForm = (request: Request): boolean =>
  isMultipart(request) ||
  /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(request.headers.get("Content-Type") ?? "");

export const isMultipart = (request: Request): boolean =>
  /^multipart\/form-data\s*(?:;|$)/i.test(request.headers.get("Content-Type") ?? "");

/** Advice if a file may have been sent as a plain field. */
const FILE_ADVICE = 'a file needs a file name, as in filename="song.mp3", or its media type';

/** RFC 2046 §5.1.1. */
const BOUNDARY = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/;

/**
 * Yields the parts of a multipart form as they arrive, in constant memory. `request.formData()` would buffer
 * everything and answer malformed forms with a 500.
 */
export async function* multipartParts(request: Request): AsyncGenerator<FormPart> {
  if (request.headers.get("Content-Encoding")) unsupportedMediaType("Compressed bodies are not accepted");
  const { boundary = "" } = parametersOf(request.headers.get("Content-Type") ?? "");
  if (!BOUNDARY.test(boundary)) malformed("The Content-Type has no boundary");
  if (!request.body) return malformed("The body is empty");
  const segments = new Segments(request.body, boundary);
  try {
    yield* partsIn(segments);
  } finally {
    segments.release();
  }
}

async function* partsIn(segments: Segments): AsyncGenerator<FormPart> {
  while (await segments.bytesOf(0)) {
    // RFC 2046: text before the first delimiter is ignored.
  }
  let fieldsBytes = 0;
  for (let number = 1; ; number++) {
    const head = await readHead(segments, number);
    if (!head) return segments.finish();
    if (number > MAX_PARTS) tooLarge(`A form may have ${MAX_PARTS} parts at most`);
    if (head.filename !== undefined) {
      yield {
        ...head,
        kind: "file",
        filename: head.filename,
        content: contentOf(segments, number, { whole: true }),
        keep: (spare) => segments.keep(spare),
      };
      while (await segments.bytesOf(number, { whole: true })) {
        // Skips chunks that the caller did not read.
      }
      continue;
    }
    const content = contentOf(segments, number);
    const limit = {
      maxBytes: MAX_FIELDS_BYTES,
      what: "The form's fields",
      before: fieldsBytes,
      advice: FILE_ADVICE,
    };
    const bytes = await collect(content, limit);
    fieldsBytes += bytes.byteLength;
    yield { kind: "field", name: head.name, value: textOf(head, bytes) };
  }
}

/** Returns `undefined` at the closing delimiter. */
async function readHead(segments: Segments, number: number): Promise<PartHead | undefined> {
  let read = Buffer.alloc(0);
  for (;;) {
    read = Buffer.concat([read, (await segments.bytesOf(number)) ?? malformed("A part has no header")]);
    if (read.toString("latin1", 0, 2) === "--") {
      segments.putBack(number, read.subarray(2));
      return undefined;
    }
    const end = read.indexOf("\r\n\r\n");
    if ((end < 0 ? read.byteLength : end) > MAX_HEAD_BYTES)
      tooLarge(`A part's header may have ${MAX_HEAD_BYTES} bytes at most`);
    if (end < 0) continue;
    segments.putBack(number, read.subarray(end + 4));
    return parseHead(read.subarray(0, end));
  }
}

async function* contentOf(
  segments: Segments,
  number: number,
  reads: { whole?: boolean } = {},
): AsyncGenerator<Uint8Array> {
  for (;;) {
    const bytes = await segments.bytesOf(number, reads);
    if (!bytes) return;
    yield bytes;
  }
}

interface Collecting {
  maxBytes: number;
  /** Names the content in a refusal. */
  what: string;
  /** Ends a refusal. */
  advice?: string;
  /** Bytes that count towards the limit. */
  before?: number;
  /** Called before bytes are buffered. */
  hold?: (bytes: number) => void;
}

/** Copies the content into one array. */
export async function collect(
  content: AsyncIterable<Uint8Array>,
  { maxBytes, what, advice, before = 0, hold = () => {} }: Collecting,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (before + size > maxBytes)
      tooLarge([`${what} may have ${sizeInWords(maxBytes)} at most`, advice].filter(Boolean).join("; "));
    hold(chunk.byteLength);
    chunks.push(chunk.slice());
  }
  hold(size);
  const whole = new Uint8Array(size);
  let end = 0;
  for (const chunk of chunks) {
    whole.set(chunk, end);
    end += chunk.byteLength;
  }
  return whole;
}

function textOf({ name, charset }: PartHead, bytes: Uint8Array): string {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (error) {
    if (error instanceof RangeError) return unsupportedMediaType(`${name}: the charset is unknown`);
    return invalid(`${name}: is not valid ${charset}; ${FILE_ADVICE}`);
  }
}

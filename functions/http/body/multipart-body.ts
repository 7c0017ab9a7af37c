import type { Context } from "hono";
import { invalid, tooLarge } from "../errors.ts";
import { formObject } from "./form-object.ts";
import { collect, type FormFile } from "./multipart.ts";
import { partsOf } from "./multipart-ahead.ts";

/** A file that came in a multipart form. */
export interface SentFile {
  filename: string;
  /** As the client says; what the file is, its content tells. */
  type: string;
  bytes: Uint8Array;
}

/** The most bytes that each file may have, by the name of its field. */
export type FileFields = ReadonlyMap<string, number>;

/** Bytes of a form besides its files: more than its fields and headers together can be. */
const MAX_REST_BYTES = 2 * 1024 * 1024;

/** A form whose files are small enough to be held: `track[artwork_data]` becomes `{track: {artwork_data: {filename, type, bytes}}}`. */
export async function readMultipart(c: Context, files: FileFields): Promise<unknown> {
  const maxBytes = [...files.values()].reduce((sum, bytes) => sum + bytes, MAX_REST_BYTES);
  if (Number(c.req.header("Content-Length") ?? 0) > maxBytes)
    tooLarge(`The body may hold ${maxBytes} bytes at most`);
  const fields: [string, unknown][] = [];
  for await (const part of partsOf(c)) {
    const value = part.kind === "field" ? part.value : await receive(part, files.get(part.name));
    if (value !== undefined) fields.push([part.name, value]);
  }
  return formObject(fields);
}

/** `undefined` where a form was sent without a file chosen: browsers then send neither name nor content. */
export async function receive(part: FormFile, maxBytes: number | undefined): Promise<SentFile | undefined> {
  const { name, filename, type } = part;
  if (maxBytes === undefined && filename) invalid(`${name}: no file is expected here`);
  const bytes = await collect(part.content, maxBytes ?? 0, `${name}: the file`);
  if (!bytes.byteLength && !filename) return undefined;
  if (!bytes.byteLength) invalid(`${name}: the file is empty`);
  return { filename, type, bytes };
}

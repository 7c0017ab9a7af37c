import type { Context } from "hono";
import { bodyTooLarge, invalid } from "../errors.ts";
import { formMemory } from "./form-memory.ts";
import { formObject } from "./form-object.ts";
import { partsOf } from "./form-parts.ts";
import { collect, type FormFile } from "./multipart.ts";

/** A file that came in a multipart form. */
export interface SentFile {
  filename: string;
  /** The client's claim. The content decides. */
  type: string;
  bytes: Uint8Array;
}

/** By field name: the size limit in bytes, or the refusal of a field that takes no file. */
export type FileFields = ReadonlyMap<string, number | string>;

/** Bytes of a form besides its files: more than all fields and headers can take. */
export const MAX_REST_BYTES = 2 * 1024 * 1024;

/** Bytes of a form whose large files are cut. Smaller hosting plans take no more. */
const MAX_CUT_FORM_BYTES = 100 * 1024 * 1024;

/**
 * `cut` keeps slightly more of a large file than its limit, so that its check refuses it and the form's fields are not
 * lost.
 */
export type LargeFiles = "refuse" | "cut";

export interface Files {
  fields: FileFields;
  large?: LargeFiles;
  /** Decides by the preceding fields whether a file is read. `false` skips it. */
  admits?: (before: Record<string, unknown>) => boolean;
}

/**
 * Reads a form whose files fit in memory. `track[artwork_data]` becomes `{track: {artwork_data: {filename,
 * type, bytes}}}`.
 */
export async function readMultipart(
  c: Context,
  { fields: files, large = "refuse", admits = () => true }: Files,
): Promise<unknown> {
  const maxBytes =
    large === "cut"
      ? MAX_CUT_FORM_BYTES
      : [...files.values()].reduce<number>((sum, rule) => sum + limitOf(rule), MAX_REST_BYTES);
  if (Number(c.req.header("Content-Length") ?? 0) > maxBytes) bodyTooLarge(maxBytes);
  const fields: [string, unknown][] = [];
  for await (const part of partsOf(c)) {
    // Refuses a repeated file before it is read: many copies would fill the memory.
    if (part.kind === "file") formObject([...fields, [part.name, undefined]]);
    if (part.kind === "file" && !admits(formObject(fields))) continue;
    const value = part.kind === "field" ? part.value : await receive(c, part, files, large);
    if (value !== undefined) fields.push([part.name, value]);
  }
  return formObject(fields);
}

const limitOf = (rule: number | string | undefined): number => (typeof rule === "number" ? rule : 0);

/** Returns `undefined` if no file was chosen: browsers then send neither name nor content. */
export async function receive(
  c: Context,
  part: FormFile,
  files: FileFields,
  large: LargeFiles = "refuse",
): Promise<SentFile | undefined> {
  const { name, filename, type } = part;
  const rule = files.get(name);
  if (typeof rule !== "number" && filename) invalid(`${name}: ${rule ?? misplaced(files)}`);
  const maxBytes = limitOf(rule);
  const isCut = large === "cut" && typeof rule === "number";
  const content = isCut ? startOf(part.content, maxBytes) : part.content;
  const bytes = await collect(content, {
    maxBytes: isCut ? MAX_CUT_FORM_BYTES : maxBytes,
    what: `${name}:`,
    hold: (more) => formMemory(c).hold(more),
  });
  if (!bytes.byteLength && !filename) return undefined;
  if (!bytes.byteLength) invalid(`${name}: the file is empty`);
  return { filename, type, bytes };
}

const misplaced = (files: FileFields): string =>
  ["no file is expected here", [...files.keys()].join(" or ")].filter(Boolean).join(", but as ");

/** Yields the content up to the chunk that exceeds the limit, and discards the rest. */
async function* startOf(content: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of content) {
    if (size <= maxBytes) yield chunk;
    size += chunk.byteLength;
    if (size > MAX_CUT_FORM_BYTES) bodyTooLarge(MAX_CUT_FORM_BYTES);
  }
}

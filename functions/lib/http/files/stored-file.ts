import type { Context } from "hono";
import { type ObjectStore, ObjectStoreUnavailable } from "../../../../db/objects/port.ts";
import { HttpError } from "../../errors/http-error.ts";
import type { AppEnv } from "../env.ts";
import { notFound } from "../errors.ts";
import { clientHas } from "../etag.ts";
import { cacheFile, findCached } from "./edge-cache.ts";
import { type ExactRange, parseRange } from "./range.ts";

type Body = ReadableStream<Uint8Array> | Uint8Array;

/** A file as listeners see it: one object, or several in a row. */
export interface MediaFile {
  size: number;
  contentType: string;
  cacheControl: string;
  etag: string;
  read(range: ExactRange): Promise<Body>;
}

/**
 * Answers Range and HEAD by RFC 9110. The storage binding would answer an unsatisfiable range with
 * everything.
 */
export async function serveFile(c: Context<AppEnv>, file: MediaFile): Promise<Response> {
  if (clientHas(c, file.etag)) return unchanged(file);
  const range = parseRange(rangeOf(c, file.etag), file.size);
  if (!range)
    throw new HttpError(416, ["The range lies outside the file"], {
      "Content-Range": `bytes */${file.size}`,
    });
  const { start, end } = range === "whole" ? { start: 0, end: file.size - 1 } : range;
  const headers = new Headers({
    "Content-Type": file.contentType,
    "Accept-Ranges": "bytes",
    "Cache-Control": file.cacheControl,
    ETag: file.etag,
    "Content-Length": String(end - start + 1),
  });
  if (range !== "whole") headers.set("Content-Range", `bytes ${start}-${end}/${file.size}`);
  const status = range === "whole" ? 200 : 206;
  if (c.req.raw.method === "HEAD") return new Response(null, { status, headers });
  return new Response(await file.read({ start, end }), { status, headers });
}

type Served = Pick<MediaFile, "contentType" | "cacheControl">;

/** Makes a tag from the key. Keys are never reused, so their content never changes. */
export const etagOf = (key: string): string => `"${key.replaceAll("/", "-")}"`;

const unchanged = ({ cacheControl, etag }: Pick<MediaFile, "cacheControl" | "etag">) =>
  new Response(null, { status: 304, headers: { "Cache-Control": cacheControl, ETag: etag } });

/** RFC 9110 §14.2: ranges exist for GET alone. §13.1.5: an outdated validator gets the whole file. */
const rangeOf = ({ req }: Context<AppEnv>, etag: string) =>
  req.raw.method === "GET" && [undefined, etag].includes(req.header("If-Range"))
    ? req.header("Range")
    : undefined;

interface SmallFile extends Served {
  /** Identifies the content and is never reused. */
  key: string;
  /** Seconds in the data centre's cache. */
  cachedForS: number;
  load(): Promise<{ size: number; body: ReadableStream<Uint8Array> } | undefined>;
}

/** Serves one object, which is small: a segment, a preview, a picture. */
export const serveObject = (
  c: Context<AppEnv>,
  objects: ObjectStore,
  file: Omit<SmallFile, "load">,
): Promise<Response> => serveSmallFile(c, { ...file, load: () => objects.get("media", file.key) });

/** Serves a file that fits in memory from the data centre's cache, or loads and caches it. */
export async function serveSmallFile(c: Context<AppEnv>, file: SmallFile): Promise<Response> {
  const tagged = { ...file, etag: etagOf(file.key) };
  // `*` matches any existing file. Only storage knows whether it exists.
  if (c.req.header("If-None-Match") !== "*" && clientHas(c, tagged.etag)) return unchanged(tagged);
  const cached = await findCached(c, file.key);
  if (!cached) {
    const bytes = await bytesOf((await file.load()) ?? notFound("Media"));
    cacheFile(c, file.key, bytes, file.cachedForS);
    return serveFile(c, { ...tagged, size: bytes.length, read: async (range) => excerpt(bytes, range) });
  }
  const { size, reply } = cached;
  const read = async (range: ExactRange) =>
    range.end - range.start + 1 === size && reply.body
      ? reply.body
      : excerpt(new Uint8Array(await reply.arrayBuffer()), range);
  return serveFile(c, { ...tagged, size, read });
}

export const excerpt = (bytes: Uint8Array, { start, end }: ExactRange): Uint8Array =>
  bytes.subarray(start, end + 1);

/** Buffers the body, so that stalled storage is a 503, not a truncated reply. */
async function bytesOf({ size, body }: { size: number; body: ReadableStream<Uint8Array> }) {
  const bytes = new Uint8Array(size);
  let at = 0;
  for await (const chunk of body) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  if (at < size) throw new ObjectStoreUnavailable("get");
  return bytes;
}

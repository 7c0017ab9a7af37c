import type { Context } from "hono";
import type { ObjectStore } from "../../db/objects/port.ts";
import { HttpError } from "../http-error.ts";
import type { AppEnv } from "./env.ts";
import { notFound } from "./errors.ts";
import { type ExactRange, parseRange } from "./range.ts";

/** A file as listeners see it: one object, or several in a row. */
export interface MediaFile {
  size: number;
  contentType: string;
  cacheControl: string;
  etag: string;
  read(range: ExactRange): Promise<ReadableStream<Uint8Array>>;
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
    ...headersOf(file),
    "Content-Length": String(end - start + 1),
  });
  if (range !== "whole") headers.set("Content-Range", `bytes ${start}-${end}/${file.size}`);
  const status = range === "whole" ? 200 : 206;
  if (c.req.raw.method === "HEAD") return new Response(null, { status, headers });
  return new Response(await file.read({ start, end }), { status, headers });
}

type Served = Pick<MediaFile, "contentType" | "cacheControl">;
type Tagged = Served & Pick<MediaFile, "etag">;

/** Makes a tag from the key. Keys are never reused, so their content never changes. */
export const etagOf = (key: string): string => `"${key.replaceAll("/", "-")}"`;

const headersOf = ({ contentType, cacheControl, etag }: Tagged) => ({
  "Content-Type": contentType,
  "Accept-Ranges": "bytes",
  "Cache-Control": cacheControl,
  ETag: etag,
});

/** RFC 9110 §13.1.2. Caches revalidate often, because replies expire soon. */
const clientHas = (c: Context<AppEnv>, etag: string): boolean => {
  const ifNoneMatch = c.req.header("If-None-Match");
  return (
    ifNoneMatch !== undefined &&
    (ifNoneMatch.trim() === "*" ||
      ifNoneMatch.split(",").some((one) => one.trim().replace(/^W\//, "") === etag))
  );
};

const unchanged = ({ cacheControl, etag }: Tagged) =>
  new Response(null, { status: 304, headers: { "Cache-Control": cacheControl, ETag: etag } });

/** RFC 9110 §13.1.5: an outdated validator gets the whole file. */
const rangeOf = (c: Context<AppEnv>, etag: string) =>
  [undefined, etag].includes(c.req.header("If-Range")) ? c.req.header("Range") : undefined;

/** Serves one object. A range needs its size first; otherwise the one reply from storage tells it. */
export async function serveObject(
  c: Context<AppEnv>,
  objects: ObjectStore,
  key: string,
  served: Served,
): Promise<Response> {
  const tagged = { ...served, etag: etagOf(key) };
  if (clientHas(c, tagged.etag)) return unchanged(tagged);
  if (c.req.raw.method === "HEAD" || rangeOf(c, tagged.etag)) {
    const { size } = (await objects.head("media", key)) ?? notFound("Media");
    return serveFile(c, { ...tagged, size, read: (range) => read(objects, key, range) });
  }
  const { size, body } = (await objects.get("media", key)) ?? notFound("Media");
  return new Response(body, { headers: { ...headersOf(tagged), "Content-Length": String(size) } });
}

interface Parts extends Omit<MediaFile, "read"> {
  partKey: (n: number) => string;
  partBytes: number;
  /** Rejects if sending must stop. */
  mayGoOn: () => Promise<unknown>;
}

interface PartedFile extends MediaFile {
  /** `head` is sent before the range. */
  read(range: ExactRange, head?: Uint8Array): Promise<ReadableStream<Uint8Array>>;
}

/** Milliseconds between two checks. A listener may read for an hour. */
const ASKED_AGAIN_MS = 25_000;

/** A long file in parts of equal size, except for the last. */
export function partedFile(
  objects: ObjectStore,
  { partKey, partBytes, mayGoOn, ...served }: Parts,
): PartedFile {
  return {
    ...served,
    async read({ start, end }, head) {
      const { readable, writable } = new FixedLengthStream((head?.length ?? 0) + end - start + 1);
      const part = (n: number) => {
        const offset = n * partBytes;
        const within = { start: Math.max(start - offset, 0), end: Math.min(end - offset, partBytes - 1) };
        return read(objects, partKey(n), within);
      };
      const first = Math.floor(start / partBytes);
      // Read before the status is sent: a lost file is 404, not a body that breaks off.
      const opening = await part(first);
      const pump = async () => {
        const ended = new AbortController();
        const asking = setInterval(() => mayGoOn().catch((error) => ended.abort(error)), ASKED_AGAIN_MS);
        try {
          if (head) await new Blob([head]).stream().pipeTo(writable, { preventClose: true });
          for (let n = first; n * partBytes <= end; n++) {
            const body = n === first ? opening : await part(n);
            await body.pipeTo(writable, { preventClose: true, signal: ended.signal });
          }
        } finally {
          clearInterval(asking);
        }
        await writable.close();
      };
      // A listener who leaves cancels the readable side, and nobody is left to inform.
      pump().catch((error: unknown) => writable.abort(error).catch(() => {}));
      return readable;
    },
  };
}

/** Serves a few generated bytes and a range of a file in parts as one file. */
export function excerpt(head: Uint8Array, whole: PartedFile, stretch: ExactRange, etag: string): MediaFile {
  const within = (offset: number) => stretch.start + offset - head.length;
  return {
    ...whole,
    size: head.length + stretch.end - stretch.start + 1,
    etag,
    async read({ start, end }) {
      const ours = head.subarray(start, end + 1);
      if (end < head.length) return new Blob([ours]).stream();
      return whole.read({ start: within(Math.max(start, head.length)), end: within(end) }, ours);
    },
  };
}

async function read(
  objects: ObjectStore,
  key: string,
  range: ExactRange,
): Promise<ReadableStream<Uint8Array>> {
  const found = await objects.get("media", key, range);
  return found?.body ?? notFound("Media");
}

import type { Context } from "hono";
import type { ObjectStore } from "../../db/objects/port.ts";
import type { AppEnv } from "../http/env.ts";
import { HttpError, notFound } from "../http/errors.ts";
import { type ExactRange, parseRange } from "../http/range.ts";

/** A file as listeners see it: one object, or several in a row. */
export interface MediaFile {
  size: number;
  contentType: string;
  cacheControl: string;
  read(range: ExactRange): Promise<ReadableStream<Uint8Array>>;
}

/** Answers Range and HEAD by RFC 9110; the storage binding would answer an unsatisfiable range with everything. */
export async function serveFile(c: Context<AppEnv>, file: MediaFile): Promise<Response> {
  const range = parseRange(rangeOf(c), file.size);
  if (!range)
    throw new HttpError(416, ["The range lies outside the file"], {
      "Content-Range": `bytes */${file.size}`,
    });
  const { start, end } = range === "whole" ? { start: 0, end: file.size - 1 } : range;
  const headers = new Headers({
    "Content-Type": file.contentType,
    "Content-Length": String(end - start + 1),
    "Accept-Ranges": "bytes",
    "Cache-Control": file.cacheControl,
  });
  if (range !== "whole") headers.set("Content-Range", `bytes ${start}-${end}/${file.size}`);
  const status = range === "whole" ? 200 : 206;
  if (c.req.raw.method === "HEAD") return new Response(null, { status, headers });
  return new Response(await file.read({ start, end }), { status, headers });
}

/** RFC 9110 §13.1.5: media carry no validator, so none that a client has can match, and the whole is due. */
const rangeOf = (c: Context<AppEnv>) => (c.req.header("If-Range") ? undefined : c.req.header("Range"));

type Served = Pick<MediaFile, "contentType" | "cacheControl">;

/** One object. Without a range storage's reply to the one request tells the size; with one it is asked for first. */
export async function serveObject(
  c: Context<AppEnv>,
  objects: ObjectStore,
  key: string,
  served: Served,
): Promise<Response> {
  if (c.req.raw.method === "HEAD" || rangeOf(c)) {
    const { size } = (await objects.head("media", key)) ?? notFound("Media");
    return serveFile(c, { ...served, size, read: (range) => read(objects, key, range) });
  }
  const { size, body } = (await objects.get("media", key)) ?? notFound("Media");
  return new Response(body, {
    headers: {
      "Content-Type": served.contentType,
      "Content-Length": String(size),
      "Accept-Ranges": "bytes",
      "Cache-Control": served.cacheControl,
    },
  });
}

/** A long file that lies in parts of equal size, but for the last. */
export function partedFile(
  objects: ObjectStore,
  partKey: (n: number) => string,
  partBytes: number,
  served: Served & Pick<MediaFile, "size">,
): MediaFile {
  return {
    ...served,
    async read({ start, end }) {
      const { readable, writable } = new FixedLengthStream(end - start + 1);
      const part = (n: number) => {
        const offset = n * partBytes;
        const within = { start: Math.max(start - offset, 0), end: Math.min(end - offset, partBytes - 1) };
        return read(objects, partKey(n), within);
      };
      const first = Math.floor(start / partBytes);
      // Before the status is told: what storage has lost is 404, not a body that breaks off.
      const opening = await part(first);
      const pump = async () => {
        for (let n = first; n * partBytes <= end; n++) {
          await (n === first ? opening : await part(n)).pipeTo(writable, { preventClose: true });
        }
        await writable.close();
      };
      // A listener who leaves cancels the reading side; there is nobody left to tell.
      pump().catch((error: unknown) => writable.abort(error).catch(() => {}));
      return readable;
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

import { Hono } from "hono";
import * as z from "zod";
import { HttpError } from "../../functions/lib/errors/http-error.ts";
import { file, fileFields } from "../../functions/lib/http/body/form-fields.ts";
import type { LargeFiles, SentFile } from "../../functions/lib/http/body/multipart-body.ts";
import { readBody } from "../../functions/lib/http/body/read.ts";

const Schema = z.object({ track: z.object({ artwork_data: file(1_000_000).optional() }) });
export const TYPE = "multipart/form-data; boundary=b0undary";

const NO_PLATFORM = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} };

interface Read {
  body?: Record<string, unknown>;
  status?: number;
  causes?: string[];
}

const readable = (_key: string, value: unknown) =>
  value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value;

/** The parsed body, or the status and causes of its refusal. */
export async function read(
  body: BodyInit,
  type: string | undefined = TYPE,
  large: LargeFiles = "refuse",
): Promise<Read> {
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    c.get("formMemory")?.release();
  });
  app.post("/", async (c) => {
    const parsed = await readBody(c, ["json", "multipart"], { fields: fileFields(Schema), large });
    return c.body(JSON.stringify({ body: parsed }, readable));
  });
  app.onError((error, c) =>
    error instanceof HttpError
      ? c.json({ status: error.status, causes: error.causes })
      : c.json({ status: 500, causes: [String(error.stack)] }),
  );
  const sent = typeof body === "string" || Buffer.isBuffer(body) ? inPieces(Buffer.from(body)) : body;
  const init = {
    method: "POST",
    body: sent,
    duplex: "half",
    ...(type && { headers: { "Content-Type": type } }),
  };
  return (await (await app.request("/", init, {}, NO_PLATFORM)).json()) as Read;
}

/** A body that arrives in these pieces. */
export function inPieces(...pieces: Uint8Array[]): BodyInit {
  const left = pieces.filter(({ byteLength }) => byteLength).values();
  const stream = new ReadableStream({
    type: "bytes",
    pull(controller) {
      const { value } = left.next();
      if (value) return controller.enqueue(new Uint8Array(value));
      controller.close();
      // Lets a waiting read end.
      controller.byobRequest?.respond(0);
    },
  });
  return stream as unknown as BodyInit;
}

/** A body in pieces of `size` bytes. */
export function dripped(text: string, size: number): BodyInit {
  const bytes = Buffer.from(text);
  const count = Math.ceil(bytes.byteLength / size);
  return inPieces(...Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size)));
}

export const part = (head: string, content: string) => `--b0undary\r\n${head}\r\n\r\n${content}\r\n`;
export const named = (name: string, content: string) =>
  part(`Content-Disposition: form-data; name="${name}"`, content);
export const whole = (...parts: string[]) => `${parts.join("")}--b0undary--\r\n`;
export const artworkPart = (disposition: string, content = "x", more = "") =>
  part(`Content-Disposition: form-data; name="track[artwork_data]"; ${disposition}${more}`, content);
export const artwork = (...of: Parameters<typeof artworkPart>) => whole(artworkPart(...of));

export const sentFile = async (body: string | Buffer) => {
  const { body: read_, causes } = await read(body);
  if (!read_) throw new Error(causes?.join());
  return (read_.track as { artwork_data: SentFile }).artwork_data;
};

import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { refuse } from "./errors.ts";
import { header, type S3Request } from "./request.ts";
import type { PayloadSha256 } from "./signature.ts";

export interface Expected {
  readonly size: number;
  readonly sha256: string | undefined;
  /** Base64, from Content-MD5. */
  readonly md5: string | undefined;
}

/** Bytes. S3's and R2's limit on one request. */
const MAX_BODY_BYTES = 5 * 1024 ** 3;
/** Bytes. Enough for ten thousand parts with their checksums. */
const MAX_XML_BYTES = 4 * 1024 ** 2;
/** Bytes and milliseconds, enough for an ordinary part. Beyond them the connection is closed. */
const MAX_DRAIN_BYTES = 64 * 1024 ** 2;
const MAX_DRAIN_MS = 20_000;

/**
 * Leaves the socket open after an early stop, because the reply still uses it. Chunks are buffers as long as
 * nobody calls `setEncoding`, which the type cannot express.
 */
export const chunksOf = (body: IncomingMessage) =>
  body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;

export function expectedBody(request: S3Request, sha256: PayloadSha256): Expected {
  const length =
    header(request, "content-length") ?? refuse("MissingContentLength", "Content-Length is required");
  const size = Number(length);
  if (size > MAX_BODY_BYTES) refuse("EntityTooLarge", "One request carries at most 5 GiB");
  const md5 = header(request, "content-md5");
  if (md5 !== undefined && !/^[A-Za-z0-9+/]{22}==$/.test(md5))
    refuse("InvalidDigest", "Content-MD5 is not an MD5 in base64");
  return { size, sha256, md5 };
}

export async function readXml(request: S3Request, sha256: PayloadSha256): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunksOf(request.body)) {
    size += chunk.length;
    if (size > MAX_XML_BYTES) refuse("MalformedXML", "The document is too long");
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (sha256 !== undefined && createHash("sha256").update(bytes).digest("hex") !== sha256) {
    refuse("XAmzContentSHA256Mismatch", "The body does not match its signature");
  }
  return bytes.toString("utf8");
}

/**
 * Discards the rest of a body, so that a client still sending gets the reply instead of EPIPE. Resolves to
 * `false` if too much came; the connection must then close.
 */
export function drain(body: IncomingMessage): Promise<boolean> {
  return new Promise((resolve) => {
    if (body.readableEnded || body.destroyed) return resolve(body.readableEnded);
    const finish = (isDrained: boolean) => {
      clearTimeout(timer);
      body.pause();
      resolve(isDrained);
    };
    const timer = setTimeout(finish, MAX_DRAIN_MS, false);
    let drainedBytes = 0;
    body.on("data", (chunk: Buffer) => {
      drainedBytes += chunk.length;
      if (drainedBytes > MAX_DRAIN_BYTES) finish(false);
    });
    body.once("end", () => finish(true));
    body.once("close", () => finish(body.readableEnded));
    body.on("error", () => finish(false));
    body.resume();
  });
}

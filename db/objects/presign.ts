import type { S3Client } from "@aws-sdk/client-s3";
import { S3RequestPresigner } from "@aws-sdk/s3-request-presigner";
import type { MultipartStore } from "./port.ts";

/** A request that a URL allows. */
interface Signed {
  method: "GET" | "HEAD" | "PUT";
  bucket: string;
  /** The object's key. Absent for the bucket itself. */
  key?: string | undefined;
  query?: Record<string, string>;
  /** Bytes of the body. Storage refuses any other number. */
  size?: number | undefined;
}

type Presign = (signed: Signed, ttlS: number) => Promise<string>;

/** Signs URLs of objects. Avoids `getSignedUrl`, whose middleware costs nine times the CPU of signing. */
export function presigner(client: S3Client, endpoint: string): Presign {
  const signer = new S3RequestPresigner({ ...client.config });
  const { protocol, hostname, port } = new URL(endpoint);
  return async ({ method, bucket, key, query: asked = {}, size }, ttlS) => {
    const path = `/${[bucket, ...(key?.split("/") ?? [])].map(escaped).join("/")}`;
    const { query = {} } = await signer.presign(
      {
        method,
        protocol,
        hostname,
        ...(port && { port: Number(port) }),
        path,
        query: asked,
        headers: size === undefined ? {} : { "content-length": String(size) },
      },
      { expiresIn: ttlS },
    );
    const url = new URL(path, endpoint);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    return url.href;
  };
}

/** Signs PUTs of one bucket's parts. */
export function partPresigner(
  client: S3Client,
  endpoint: string,
  bucket: string,
): MultipartStore["presignPart"] {
  const presign = presigner(client, endpoint);
  return (key, uploadId, number, size, ttlS) =>
    presign({ method: "PUT", bucket, key, query: { partNumber: String(number), uploadId }, size }, ttlS);
}

/** Escapes what RFC 3986 reserves, as signatures demand. `encodeURIComponent` leaves five characters. */
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

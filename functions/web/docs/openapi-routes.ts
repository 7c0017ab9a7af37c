import { hash } from "node:crypto";
import { brotliCompressSync, constants } from "node:zlib";
import type { AppEnv } from "../../lib/http/env.ts";
import { clientHas } from "../../lib/http/etag.ts";
import { JSON_TYPE } from "../../lib/http/json-type.ts";
import { Routes } from "../../lib/http/route.ts";
import { COMPRESSED } from "../../lib/http/security-headers.ts";

/** `br;q=0` refuses it. */
const TAKES_BROTLI = /\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/;

type Bytes = Buffer<ArrayBuffer>;
interface Written {
  plain: Bytes;
  compressed: Bytes;
  /** Weak, because the plain and the compressed body share it. */
  tag: string;
}

const written = new WeakMap<object, Written>();

/** Serializing and compressing half a megabyte takes milliseconds, so an isolate does it once. */
function bytesOf(document: object): Written {
  const known = written.get(document);
  if (known) return known;
  const plain = Buffer.from(JSON.stringify(document));
  // Quality 11 would save a tenth, for fifty times the time.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 6 };
  const tag = `W/"${hash("sha256", plain, "base64url").slice(0, 16)}"`;
  const made = { plain, compressed: Buffer.from(brotliCompressSync(plain, { params })), tag };
  written.set(document, made);
  return made;
}

/**
 * {api_url}: the API document. It is compressed for clients that accept Brotli, because sending it is most of its cost.
 * The platform always accepts Brotli, and decompresses for the few clients that do not.
 */
export function openApiRoutes(documentOf: (env: AppEnv["Bindings"]) => object): Routes {
  const routes = new Routes();
  routes.page("/openapi.json", (c) => {
    const { plain, compressed, tag } = bytesOf(documentOf(c.env));
    const headers = new Headers([COMPRESSED, ["ETag", tag], ["Cache-Control", "public, max-age=300"]]);
    if (clientHas(c, tag)) return new Response(null, { status: 304, headers });
    headers.set("Content-Type", JSON_TYPE);
    if (!TAKES_BROTLI.test(c.req.header("Accept-Encoding") ?? "")) return new Response(plain, { headers });
    headers.set("Content-Encoding", "br");
    return new Response(compressed, { headers, encodeBody: "manual" });
  });
  return routes;
}

import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzipSync } from "node:zlib";
import { HEADERS } from "../../build/static-assets.ts";
import { assetsOf } from "../worker/build.ts";
import { takes } from "./compressed.ts";
import type { Mount } from "./front.ts";

const TYPES: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".jpg": "image/jpeg",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wav": "audio/wav",
  ".txt": "text/plain; charset=utf-8",
  ".tgz": "application/gzip",
  ".woff2": "font/woff2",
};

interface StaticFile {
  headers: OutgoingHttpHeaders;
  content: Buffer;
  /** Set for text. */
  gzipped?: Buffer;
  /** A tenth smaller, for which it takes long. So it begins when the file is first asked for. */
  brotli?: { content?: Buffer };
}

const compressWell = promisify(brotliCompress);

/** The platform compresses these. */
const IS_TEXT = /^text|json|svg/;

/** Serves the static files of a bundle as the platform does, before it calls the Worker. */
export function openStaticFiles(bundle: string) {
  let files = readFiles(assetsOf(bundle));
  const mount: Mount = (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") return false;
    const file = files.get(request.url?.split("?")[0] ?? "");
    if (!file) return false;
    const [coding, content] = codedFor(request, file);
    const headers = { ...file.headers, ...(coding && { "Content-Encoding": coding }) };
    response.writeHead(200, { ...headers, "Content-Length": content.length });
    response.end(request.method === "HEAD" ? undefined : content);
    return true;
  };
  return {
    mount,
    replace: (other: string) => {
      files = readFiles(assetsOf(other));
    },
  };
}

function compressing(text: Buffer) {
  const brotli: StaticFile["brotli"] = {};
  compressWell(text).then((content) => {
    brotli.content = content;
  }, console.error);
  return brotli;
}

/** Requests during the compression get gzip. */
function codedFor(request: IncomingMessage, file: StaticFile): [coding: string | undefined, content: Buffer] {
  if (file.gzipped && takes(request, "br")) {
    file.brotli ??= compressing(file.content);
    if (file.brotli.content) return ["br", file.brotli.content];
  }
  return file.gzipped && takes(request, "gzip") ? ["gzip", file.gzipped] : [undefined, file.content];
}

function readFiles(directory: string): Map<string, StaticFile> {
  const rules = readRules(join(directory, HEADERS));
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile() && entry.name !== HEADERS)
      .map(({ parentPath, name }) => {
        const path = join(parentPath, name);
        const content = readFileSync(path);
        const type = TYPES[extname(name)] ?? "application/octet-stream";
        const address = path.slice(directory.length);
        const headers = { ...rules(address), "Content-Type": type, Vary: "Accept-Encoding" };
        return [address, { headers, content, ...(IS_TEXT.test(type) && { gzipped: gzipSync(content) }) }];
      }),
  );
}

/** Reads the headers of addresses. An address is written whole or ends with `*`. */
function readRules(path: string): (address: string) => OutgoingHttpHeaders {
  const rules = readFileSync(path, "utf8")
    .split(/^(?=\/)/m)
    .map((rule): [pattern: string, headers: OutgoingHttpHeaders] => [
      /^\S*/.exec(rule)?.[0] ?? "",
      Object.fromEntries([...rule.matchAll(/^ +([\w-]+): (.+)$/gm)].map(([, name, text]) => [name, text])),
    ]);
  const covers = (pattern: string, address: string) =>
    pattern.endsWith("*") ? address.startsWith(pattern.slice(0, -1)) : address === pattern;
  return (address) => rules.find(([pattern]) => covers(pattern, address))?.[1] ?? {};
}

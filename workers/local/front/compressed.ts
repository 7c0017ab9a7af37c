import type { IncomingMessage } from "node:http";
import { createGzip, type Gzip } from "node:zlib";

/** Compresses pages only, because programs on the same machine would decode everything else again. */
const IS_PAGE = /^text\/(?:html|markdown)\b/;

/** Bytes. Less fits one packet anyway. */
const LEAST_BYTES = 1_400;

/** Half of the best level's time, for a page that is a tenth longer. */
const LEVEL = 4;

/** `gzip;q=0` refuses it. */
const TAKEN = {
  br: /\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/,
  gzip: /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/,
};

export const takes = ({ headers }: IncomingMessage, coding: keyof typeof TAKEN): boolean =>
  TAKEN[coding].test(String(headers["accept-encoding"]));

/**
 * Compresses a page in transit, as the platform does. `undefined` if the client does not accept it, or it gains
 * nothing.
 */
export function compressed(
  request: IncomingMessage,
  answer: IncomingMessage,
  headers: string[],
): { gzip: Gzip; headers: string[] } | undefined {
  const { "content-type": type = "", "content-length": length, "content-encoding": coding } = answer.headers;
  const mayChange = !/\bno-transform\b/.test(answer.headers["cache-control"] ?? "");
  const isAsked = request.method === "GET" && takes(request, "gzip");
  if (!isAsked || answer.statusCode !== 200 || coding || !mayChange || !IS_PAGE.test(type)) return undefined;
  if (Number(length ?? LEAST_BYTES) < LEAST_BYTES) return undefined;
  const changed = headers.flatMap((name, index) => {
    const value = headers[index + 1] ?? "";
    if (index % 2 || name.toLowerCase() === "content-length") return [];
    return [name, name.toLowerCase() === "etag" ? `W/${value.replace(/^W\//, "")}` : value];
  });
  changed.push("Content-Encoding", "gzip", "Vary", "Accept-Encoding");
  return { gzip: createGzip({ level: LEVEL }), headers: changed };
}

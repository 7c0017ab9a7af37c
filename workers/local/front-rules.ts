import type { IncomingMessage } from "node:http";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
export const ALLOWED_METHODS = METHODS.join(", ");

/** About this connection, not about the request: RFC 9110 §7.6.1. `Expect` has been answered by the time we forward. */
const HOP_BY_HOP = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect)$/;

/** Only whoever terminates the connection knows the client's address; from a client these are lies. */
const EDGE_ONLY = /^(cf-.*|x-forwarded-.*|x-real-ip|forwarded|true-client-ip)$/;

/** Node itself refuses two lengths, a length beside chunks, folded lines, and what is no HTTP. */
export function refusal(request: IncomingMessage): [status: number, cause: string] | undefined {
  if (!METHODS.includes(request.method ?? "")) return [405, `The method ${request.method} is not supported`];
  if (!request.url?.startsWith("/")) return [400, "The request target must be a path"];
  if (headerNames(request).filter((name) => name === "host").length !== 1)
    return [400, "Exactly one Host is needed"];
  const coding = request.headers["transfer-encoding"];
  if (coding !== undefined && coding.toLowerCase() !== "chunked")
    return [400, "The only transfer coding is chunked"];
  return undefined;
}

const headerNames = ({ rawHeaders }: IncomingMessage) =>
  rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());

/** Name and value in turn, as Node takes and gives them: repeated headers stay apart and in order. */
function without({ rawHeaders, headers }: IncomingMessage, dropped: RegExp[]): string[] {
  const named = new Set((headers.connection ?? "").toLowerCase().split(/\s*,\s*/));
  return rawHeaders.filter((_, index) => {
    const name = (rawHeaders[index - (index % 2)] ?? "").toLowerCase();
    return !named.has(name) && !dropped.some((pattern) => pattern.test(name));
  });
}

export function forwardedHeaders(request: IncomingMessage): string[] {
  const kept = without(request, [HOP_BY_HOP, EDGE_ONLY]);
  const address = request.socket.remoteAddress?.replace(/^::ffff:/, "") ?? "127.0.0.1";
  if (request.headers["transfer-encoding"]) kept.push("Transfer-Encoding", "chunked");
  return [...kept, "CF-Connecting-IP", address];
}

export const repliedHeaders = (answer: IncomingMessage): string[] => without(answer, [HOP_BY_HOP]);

import type { IncomingMessage } from "node:http";
import { FRONT_HEADER } from "../../front-secret.ts";
import type { ClientFacts } from "./client-facts.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
export const ALLOWED_METHODS = METHODS.join(", ");

/** Headers of one connection, RFC 9110 §7.6.1. Node has already answered `Expect` when we forward. */
const HOP_BY_HOP = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect)$/;

/** Only the edge knows the client's address, and the Worker's secret. Clients could forge these headers. */
const EDGE_ONLY = /^(cf-.*|x-forwarded-.*|x-real-ip|forwarded|true-client-ip|soundpost-front)$/;

/** Without them a request would end elsewhere or reach another host, so `Connection` may not name them (RFC 9110 §7.6.1). */
const END_TO_END = ["content-length", "transfer-encoding", "host"];

/** The Worker makes URLs with it. */
const isHost = (host: string): boolean => /^[^\s/?#@\\]+$/.test(host) && URL.canParse(`http://${host}/`);

/**
 * Refuses malformed requests that Node accepts. Node rejects duplicate lengths and folded lines by itself.
 */
export function findRefusal(request: IncomingMessage): [status: number, cause: string] | undefined {
  if (!METHODS.includes(request.method ?? "")) return [405, `The method ${request.method} is not supported`];
  if (!request.url?.startsWith("/")) return [400, "The request target must be a path"];
  const hosts = headerNames(request).filter((name) => name === "host").length;
  if (hosts > 1 || (hosts === 0 && !mayLackHost(request))) return [400, "Exactly one Host is needed"];
  if (hosts === 1 && !isHost(request.headers.host ?? "")) return [400, "The Host is not valid"];
  if (END_TO_END.some((name) => connectionOptions(request).includes(name)))
    return [400, "Connection may not name Content-Length, Transfer-Encoding or Host"];
  const coding = request.headers["transfer-encoding"];
  if (coding !== undefined && coding.toLowerCase() !== "chunked")
    return [400, "The only transfer coding is chunked"];
  return undefined;
}

/** RFC 9112 §3.2 asks for it from HTTP/1.1 on. */
const mayLackHost = ({ httpVersion }: IncomingMessage): boolean => httpVersion === "1.0";

const headerNames = ({ rawHeaders }: IncomingMessage) =>
  rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());

const connectionOptions = ({ headers }: IncomingMessage): string[] =>
  (headers.connection ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());

/** Keeps Node's flat list of names and values, so that repeated headers stay separate and in order. */
function removeHeaders(message: IncomingMessage, dropped: RegExp[]): string[] {
  const { rawHeaders } = message;
  const named = new Set(connectionOptions(message));
  return rawHeaders.filter((_, index) => {
    const name = (rawHeaders[index - (index % 2)] ?? "").toLowerCase();
    return !named.has(name) && !dropped.some((pattern) => pattern.test(name));
  });
}

/** `secret` shows the Worker that the front asks, and `usualHost` is that of requests without one. */
export function forwardedHeaders(
  request: IncomingMessage,
  { address, country }: ClientFacts,
  { secret, usualHost }: { secret: string; usualHost: string },
): string[] {
  const forwarded = removeHeaders(request, [HOP_BY_HOP, EDGE_ONLY]);
  if (request.headers["transfer-encoding"]) forwarded.push("Transfer-Encoding", "chunked");
  if (request.headers.host === undefined) forwarded.push("Host", usualHost);
  return [
    ...forwarded,
    "CF-Connecting-IP",
    address,
    ...(country ? ["CF-IPCountry", country] : []),
    ...(secret ? [FRONT_HEADER, secret] : []),
  ];
}

export const repliedHeaders = (answer: IncomingMessage): string[] => removeHeaders(answer, [HOP_BY_HOP]);

/** workerd refuses these in a query, which browsers escape and curl does not. */
export const escapedPath = ({ url = "" }: IncomingMessage): string =>
  url.replace(/["<>]/g, encodeURIComponent);

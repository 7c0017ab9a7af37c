import { randomUUID } from "node:crypto";
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

export interface FrontReply {
  status: number;
  body: string;
  headers: Record<string, string>;
}

/** The API's error object, for requests that never reach the API. `apiUrl` is the API's address, as clients see it. */
export function errorReply(apiUrl: string, status: number, cause: string, fields: object = {}): FrontReply {
  const reason = STATUS_CODES[status] ?? "";
  const message = `${status} - ${reason}`;
  const type = reason.toLowerCase().replaceAll(" ", "-");
  const requestId = randomUUID();
  const body = {
    code: status,
    message,
    link: `${apiUrl}/docs/errors#${type}`,
    status: message,
    errors: [{ error_message: cause }],
    error: null,
    type,
    request_id: requestId,
    ...fields,
  };
  const headers = {
    "Content-Type": "application/json; charset=utf-8",
    "Access-Control-Allow-Origin": "*",
    "X-Request-Id": requestId,
    Connection: "close",
  };
  return { status, body: JSON.stringify(body), headers };
}

const READS = ["GET", "HEAD", "OPTIONS"];

/**
 * OAuth clients require `error` and `error_description`. They discard their tokens on any status below 500.
 */
const OAUTH_ENDPOINTS = ["/oauth/token", "/oauth/revoke", "/oauth/introspect"];

/** Answers 503 if nothing was done, 504 if a write may have been: RFC 9110 §15.6.5. */
export function upstreamFailure(
  apiUrl: string,
  { method = "", url = "", headers }: IncomingMessage,
  sent: boolean,
): FrontReply {
  const isUnknown = sent && !READS.includes(method);
  const status = isUnknown ? 504 : 503;
  const cause = isUnknown
    ? "The Worker did not answer; check the resource before trying again"
    : "The Worker does not answer; nothing was done. Try again.";
  const [path = ""] = url.split(/\/?(?:\?|$)/);
  const fields = OAUTH_ENDPOINTS.includes(path)
    ? { error: "temporarily_unavailable", error_description: cause }
    : {};
  const refused = errorReply(apiUrl, status, cause, fields);
  const reply = /\btext\/html\b/.test(headers.accept ?? "") ? asPage(refused, method) : refused;
  return isUnknown ? reply : { ...reply, headers: { ...reply.headers, "Retry-After": retryAfterS() } };
}

/** Seconds until a failed page is requested again. */
const RELOAD_S = 5;

/** Answers a browser with a page, because it shows people whatever it gets. */
function asPage({ status, headers }: FrontReply, method: string): FrontReply {
  const isRead = method === "GET";
  const text = isRead
    ? "This page tries again in a few seconds."
    : status === 504
      ? "What you sent may be done or not: look before you send it again."
      : "Nothing was done. Go back, and try again.";
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
${isRead ? `<meta http-equiv="refresh" content="${RELOAD_S}">` : ""}
<title>Not available just now</title>
<main>
<h1>Not available just now</h1>
<p>The service is starting, or busy. ${text}</p>
</main>
</html>
`;
  return { status, body, headers: { ...headers, "Content-Type": "text/html; charset=utf-8" } };
}

/** Seconds. Random, so that clients do not all retry at once. */
const retryAfterS = () => String(5 + Math.floor(Math.random() * 25));

const STATUS_OF: Record<string, number> = {
  HPE_INVALID_METHOD: 405,
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const CAUSES: Record<number, string> = {
  408: "The request's headers did not arrive in time",
  431: "The address and the headers are longer than 32 KiB together",
};

/** Answers on the raw socket, because Node has no request to reply to. The socket then closes. */
export function refuseUnparsed(apiUrl: string, error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const status = STATUS_OF[error.code ?? ""] ?? 400;
  const cause = CAUSES[status] ?? "The request is not valid HTTP/1.1";
  const { body, headers } = errorReply(apiUrl, status, cause);
  const lines = Object.entries({ ...headers, "Content-Length": Buffer.byteLength(body) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`);
}

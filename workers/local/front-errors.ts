import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** The API's error object, for what never reaches the API. */
export function errorBody(status: number, cause: string): string {
  const message = `${status} - ${STATUS_CODES[status]}`;
  return JSON.stringify({
    code: status,
    message,
    link: "/docs",
    status: message,
    errors: [{ error_message: cause }],
    error: null,
  });
}

const STATUS_OF: Record<string, number> = {
  HPE_INVALID_METHOD: 405,
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Requests that Node could not read are answered on the bare socket, which is then of no more use. */
export function refuseUnparsed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const status = STATUS_OF[error.code ?? ""] ?? 400;
  const body = errorBody(status, "The request is not valid HTTP/1.1");
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `X-Request-Id: ${randomUUID()}\r\nAccess-Control-Allow-Origin: *\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

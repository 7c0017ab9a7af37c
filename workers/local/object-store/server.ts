import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { drain } from "./body.ts";
import type { Config } from "./config.ts";
import { allowOrigin, answerPreflight } from "./cors.ts";
import { refuse, S3Error } from "./errors.ts";
import type { Faults } from "./faults.ts";
import { answerXml, type Store } from "./operation.ts";
import { parseRequest } from "./request.ts";
import { findOperation } from "./routes.ts";
import { createVerifier } from "./signature.ts";

/** Milliseconds. Longer than clients keep idle connections, so that clients close them first. */
const KEEP_ALIVE_MS = 120_000;
/** Milliseconds without a byte in either direction. Whole uploads may take hours. */
const IDLE_MS = 10 * 60 * 1000;
const HEADERS_MS = 60_000;

export function createObjectServer(
  store: Store,
  { credentials, buckets }: Pick<Config, "credentials" | "buckets">,
  faults?: Faults,
) {
  const verify = createVerifier(credentials);

  async function answer(message: IncomingMessage, response: ServerResponse) {
    const request = parseRequest(message);
    const bucket = Object.hasOwn(buckets, request.bucket) ? buckets[request.bucket] : undefined;
    if (request.method === "OPTIONS") return answerPreflight(request, response, bucket?.cors ?? []);
    allowOrigin(request, response, bucket?.cors ?? []);
    if (await faults?.(message, response)) return;
    const payloadSha256 = await verify(request);
    if (!bucket) refuse("NoSuchBucket", "The specified bucket does not exist");
    await findOperation(request)(store, { ...request, payloadSha256 }, response);
  }

  async function answerError(
    error: unknown,
    message: IncomingMessage,
    response: ServerResponse,
    requestId: string,
  ) {
    const isClientGone =
      message.errored !== null || CLIENT_LEFT.has((error as NodeJS.ErrnoException).code ?? "");
    if (!isClientGone && !(error instanceof S3Error)) console.error("request failed", { requestId, error });
    // Half the body may be sent. Breaking the connection is the only remaining signal.
    if (isClientGone || response.headersSent) return response.destroy();
    const { status, code, message: text } = refusalFor(error);
    if (!(await drain(message))) response.setHeader("Connection", "close");
    answerXml(response, status, "Error", {
      Code: code,
      Message: text,
      Resource: message.url,
      RequestId: requestId,
    });
  }

  const timeouts = { keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: HEADERS_MS, requestTimeout: 0 };
  const server = createServer(timeouts, (message, response) => {
    const requestId = randomBytes(8).toString("hex");
    response.setHeader("x-amz-request-id", requestId);
    answer(message, response).catch((error) => answerError(error, message, response, requestId));
  });
  return server.setTimeout(IDLE_MS);
}

const CLIENT_LEFT = new Set(["ECONNRESET", "EPIPE", "ERR_STREAM_PREMATURE_CLOSE"]);
const NO_ROOM = new Set(["ENOSPC", "EDQUOT"]);
/** SQLITE_FULL: sqlite.org/rescode.html */
const CATALOG_FULL = 13;
const hasNoRoom = (error: unknown) => {
  const { code = "", errcode } = error as NodeJS.ErrnoException & { errcode?: number };
  return NO_ROOM.has(code) || errcode === CATALOG_FULL;
};

function refusalFor(error: unknown): S3Error {
  if (error instanceof S3Error) return error;
  return hasNoRoom(error) ? FULL : INTERNAL;
}

const FULL = new S3Error("InsufficientStorage", "The disk is full");
const INTERNAL = new S3Error("InternalError", "We met an internal error. Please try again.");

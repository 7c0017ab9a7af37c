import type { Context } from "hono";
import { routePath } from "hono/route";
import { openDatabase } from "../../../db/client.ts";
import { withTrace } from "../../../db/trace.ts";
import { drainRefused } from "./body/read.ts";
import { OPEN_TO_ANY_PAGE, preflightReply, READABLE_BY_PAGES } from "./cors.ts";
import { recordDeprecatedUses } from "./deprecated-uses.ts";
import { markDeprecated } from "./deprecations.ts";
import type { AppEnv } from "./env.ts";
import { isFileReply, isSampled, SAMPLED_ONE_OF } from "./file-reply.ts";
import { chooseFormat, renderFormat } from "./format/negotiate.ts";
import { IGNORED, ignoredInWords } from "./ignored.ts";
import { innerOf } from "./inner.ts";
import { closeToFloods } from "./limits/flood-gate.ts";
import { logLine, RequestLog } from "./log.ts";
import { isRead } from "./methods.ts";
import { leaveDialect, mayBeOlder, readDialect } from "./older.ts";
import { notePresent } from "./presence.ts";
import { queueDeliveries, queueMails } from "./queue-messages.ts";
import { isResourceReply } from "./resource-reply.ts";
import { secure } from "./security-headers.ts";
import { countRequest, routeName } from "./tally.ts";
import { readTrace, traceFields, traceparentOf } from "./trace.ts";
import { identify, type VerifyToken } from "./viewer.ts";

const CLIENT_REQUEST_ID = /^[\w-]{8,64}$/;

/** Answers a request. Anything that it throws becomes a reply. */
export type Answer = (c: Context<AppEnv>) => Response | Promise<Response>;

type AnswerInner = (request: Request, c: Context<AppEnv>) => Promise<Response>;

/** Makes a reply from anything thrown. */
export type RenderError = (error: unknown, c: Context<AppEnv>) => Response | Promise<Response>;

interface Surroundings {
  /** Whether pages of any origin may read the path. */
  isOpen: (path: string) => boolean;
  /** Whether the path supports formats and older credentials. */
  isResource: (path: string) => boolean;
  verifyToken: VerifyToken;
  renderError: RenderError;
  /** Handles pages' calls to the API within the Worker. */
  answerInner: AnswerInner;
}

/**
 * Wraps a handler with everything around a request, error rendering included. Each of Hono's own middlewares
 * would cost three promises per request.
 */
export function responder(surroundings: Surroundings) {
  return (handler: Answer, renderError = surroundings.renderError): Answer => {
    const around = { ...surroundings, renderError };
    return async (c) => {
      c.set("log", innerOf(c.req.raw)?.log ?? new RequestLog());
      c.set("answerInner", (request) => around.answerInner(request, c));
      c.set("requestId", requestIdOf(c));
      const isOpen = around.isOpen(c.req.path);
      const isPreflight = isOpen && c.req.method === "OPTIONS";
      c.res = isPreflight ? preflightReply() : await answer(c, around, handler);
      await finish(c, isOpen, isPreflight);
      return c.res;
    };
  };
}

/** Returns the reply of the handler, or of its error. */
async function answer(
  c: Context<AppEnv>,
  { isResource, verifyToken, renderError }: Surroundings,
  handler: Answer,
): Promise<Response> {
  const ofResource = isResource(c.req.path);
  if (ofResource) chooseFormat(c);
  try {
    const from = innerOf(c.req.raw);
    openRequestDatabase(c);
    if (ofResource && mayBeOlder(c)) await readDialect(c);
    const passing = from ? undefined : closeToFloods(c);
    if (passing) await passing;
    const identifying = from ? c.set("viewer", from.viewer) : identify(c, verifyToken);
    if (identifying) await identifying;
    const trace = readTrace(c.req.header("traceparent"));
    if (!trace) return await handler(c);
    c.get("log").add(traceFields(trace));
    return await (trace.isSampled ? withTrace(traceparentOf(trace), () => handler(c)) : handler(c));
  } catch (error) {
    return renderError(error, c);
  }
}

async function finish(c: Context<AppEnv>, isOpen: boolean, isPreflight: boolean): Promise<void> {
  const requestId = c.get("requestId");
  const log = c.get("log");
  c.get("formMemory")?.release();
  await leaveDialect(c);
  const deprecated = c.get("deprecations");
  if (deprecated) recordDeprecatedUses(c, deprecated);
  if (c.get("requestedFormat")) await renderFormat(c);
  if (c.res.status >= 400) await drainRefused(c);
  notePresent(c);
  const headers = replyHeaders(c, requestId);
  if (deprecated) markDeprecated(headers, deprecated, c.env);
  const route = routePath(c);
  const isFile = isFileReply(route, c.res.status);
  if (!isResourceReply(c)) {
    if (isOpen) headers.set(...OPEN_TO_ANY_PAGE);
    secure(c, headers, isOpen);
    // A file is the same for everybody, so caches need one copy.
    if (isFile) headers.delete("Vary");
  }
  if (isOpen && !isPreflight && (isFile || c.req.header("Origin") !== undefined))
    headers.set(...READABLE_BY_PAGES);
  const ignored = c.get("ignored");
  if (ignored) headers.set(IGNORED, ignoredInWords(ignored));
  if (log.statements)
    headers.set("Server-Timing", `db;dur=${Math.round(log.sqlMs)};desc="queries: ${log.statements}"`);
  if (!innerOf(c.req.raw)) noteRequest(c, requestId, log, route);
}

function openRequestDatabase(c: Context<AppEnv>): void {
  const log = c.get("log");
  const counted = (ms: number) => {
    log.statements += 1;
    log.sqlMs += ms;
  };
  const onDeliveries = (ids: number[]) => c.executionCtx.waitUntil(queueDeliveries(c.env, ids));
  const onMails = (ids: number[]) => c.executionCtx.waitUntil(queueMails(c.env, ids));
  const observers = { onStatement: counted, onDeliveries, onMails };
  c.set("db", openDatabase(c.env, observers, isRead(c) ? "repeatable" : "once"));
}

function requestIdOf(c: Context): string {
  const given = c.req.header("X-Request-Id");
  return given && CLIENT_REQUEST_ID.test(given) ? given : crypto.randomUUID();
}

/**
 * Returns the reply's headers for changing in place. Hono's `c.header()` makes a new `Response` each time.
 * Replies of `fetch` are immutable, so they are copied.
 */
function replyHeaders(c: Context, requestId: string): Headers {
  try {
    c.res.headers.set("X-Request-Id", requestId);
  } catch {
    c.res = new Response(c.res.body, c.res);
    c.res.headers.set("X-Request-Id", requestId);
  }
  return c.res.headers;
}

/** Counts a request and writes its log line. */
function noteRequest(c: Context<AppEnv>, requestId: string, log: RequestLog, pattern: string): void {
  const viewer = c.get("viewer");
  const { status } = c.res;
  const { method } = c.req;
  const route = routeName(pattern);
  const ms = performance.now() - log.startedAt;
  countRequest({ method, route, status, ms, statements: log.statements, sqlMs: log.sqlMs });
  const oneOf = isSampled(pattern, status) ? SAMPLED_ONE_OF : undefined;
  if (oneOf && Math.random() * oneOf >= 1) return;
  const fields = {
    request_id: requestId,
    method,
    // Such as `/tracks/:id`: without ids it reveals nothing private.
    route,
    status,
    one_of: oneOf,
    ms: Math.round(ms),
    sql_n: log.statements,
    sql_ms: Math.round(log.sqlMs),
    // A client id without a token is unverified.
    app: viewer?.sessionId ? viewer.clientId : undefined,
    user: viewer?.userId ?? undefined,
  };
  // Merged only if there are fields: copying looks up each name again.
  const all = log.fields ? { ...fields, ...log.fields } : fields;
  logLine(status >= 500 ? "error" : "info", "request", all);
}

import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import { drainRefused } from "./body.ts";
import { OPEN_TO_ANY_PAGE, preflightReply, READABLE_BY_PAGES } from "./cors.ts";
import type { AppEnv } from "./env.ts";
import { tellAsWished } from "./formats.ts";
import { logLine, RequestLog } from "./log.ts";
import { notePresent } from "./presence.ts";
import { isResourceReply } from "./resource-reply.ts";
import { secure } from "./security-headers.ts";

const CLIENT_REQUEST_ID = /^[\w-]{8,64}$/;

/**
 * Around all else: what is done for every reply, errors included, and the request's line in the log. One middleware, which
 * writes headers once: Hono takes longer to get from one to the next than each of these needs.
 */
export const everyReply = (forAnyPage: (path: string) => boolean) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const log = new RequestLog();
    const given = c.req.header("X-Request-Id");
    const requestId = given && CLIENT_REQUEST_ID.test(given) ? given : crypto.randomUUID();
    c.set("requestId", requestId);
    c.set("log", log);
    const isOpen = forAnyPage(c.req.path);
    const isPreflight = isOpen && c.req.method === "OPTIONS";
    if (isPreflight) c.res = preflightReply();
    else await next();
    if (c.get("wish")) await tellAsWished(c);
    if (c.res.status >= 400) await drainRefused(c);
    notePresent(c);
    const headers = identified(c, requestId);
    if (!isResourceReply(c)) {
      if (isOpen) headers.set(...OPEN_TO_ANY_PAGE);
      secure(c, headers);
    }
    if (isOpen && !isPreflight && c.req.header("Origin") !== undefined) headers.set(...READABLE_BY_PAGES);
    if (log.statements)
      headers.set("Server-Timing", `db;dur=${Math.round(log.sqlMs)};desc="queries: ${log.statements}"`);
    logRequest(c, requestId, log);
  });

/**
 * The reply's headers, to be changed in place: Hono's own `c.header()` makes a new `Response` for each header once there is
 * one. Replies of `fetch` are immutable and copied.
 */
function identified(c: Context, requestId: string): Headers {
  try {
    c.res.headers.set("X-Request-Id", requestId);
  } catch {
    c.res = new Response(c.res.body, c.res);
    c.res.headers.set("X-Request-Id", requestId);
  }
  return c.res.headers;
}

function logRequest(c: Context<AppEnv>, requestId: string, log: RequestLog): void {
  const viewer = c.get("viewer");
  const { status } = c.res;
  const fields = {
    request_id: requestId,
    method: c.req.method,
    // The pattern of the route that ran last, as `/tracks/:id`: with the ids left out nothing private can stand in it.
    route: routePath(c),
    status,
    ms: Math.round(performance.now() - log.startedAt),
    sql_n: log.statements,
    sql_ms: Math.round(log.sqlMs),
    // An app that only named itself may have sent anything.
    app: viewer?.sessionId ? viewer.clientId : undefined,
    user: viewer?.userId ?? undefined,
  };
  // Into another object only where there is something: each name would be looked up anew.
  const all = log.fields ? { ...fields, ...log.fields } : fields;
  logLine(status >= 500 ? "error" : "info", "request", all);
}

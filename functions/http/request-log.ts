import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import type { AppEnv } from "./env.ts";
import { logLine, RequestLog } from "./log.ts";
import { replyHeaders } from "./reply-headers.ts";

const CLIENT_REQUEST_ID = /^[\w-]{8,64}$/;

export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  const given = c.req.header("X-Request-Id");
  const requestId = given && CLIENT_REQUEST_ID.test(given) ? given : crypto.randomUUID();
  const log = new RequestLog();
  c.set("requestId", requestId);
  c.set("log", log);
  await next();
  const viewer = c.get("viewer");
  const headers = replyHeaders(c);
  headers.set("X-Request-Id", requestId);
  const ms = Math.round(performance.now() - log.startedAt);
  if (log.statements)
    headers.set("Server-Timing", `db;dur=${Math.round(log.sqlMs)};desc="queries: ${log.statements}"`);
  logLine(c.res.status >= 500 ? "error" : "info", "request", {
    request_id: requestId,
    method: c.req.method,
    route: routeOf(c),
    status: c.res.status,
    ms,
    sql_n: log.statements,
    sql_ms: Math.round(log.sqlMs),
    // An app that only named itself may have sent anything.
    app: viewer?.sessionId ? viewer.clientId : undefined,
    user: viewer?.userId ?? undefined,
    ...log.fields,
  });
});

/** The route's pattern, as `/tracks/:id`: with the ids left out nothing private can stand in it. */
function routeOf(c: Context<AppEnv>): string {
  // Not the last that matched, which is the site's `/*` for every path: the last that ran.
  return routePath(c);
}

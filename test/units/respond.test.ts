import { Hono } from "hono";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AppEnv, Env } from "../../functions/lib/http/env.ts";
import { notFound, renderError } from "../../functions/lib/http/errors.ts";
import { resourceReply } from "../../functions/lib/http/resource-reply.ts";
import { type Answer, responder } from "../../functions/lib/http/respond.ts";

/** Unreachable, and never used. */
const DATABASE_URL = "postgresql://user:password@localhost/nothing";

const respond = responder({
  isOpen: (path) => path !== "/closed",
  isResource: () => false,
  verifyToken: () => undefined,
  renderError,
  answerInner: () => Promise.reject(new Error("no page asks here")),
});

const handlers: Record<string, Answer> = {
  "/set": (c) => c.json({}, 200, REVALIDATED),
  "/made": (c) => resourceReply(c, "{}"),
  "/replaced": (c) => {
    resourceReply(c, "{}");
    return c.json({}, 500, REVALIDATED);
  },
  "/page": (c) => c.json({}, 200, { ...REVALIDATED, "Content-Security-Policy": "default-src 'self'" }),
  "/closed": (c) => c.json({}, 200, REVALIDATED),
  "/refused": () => notFound("Track"),
};
const app = new Hono<AppEnv>();
for (const [path, handler] of Object.entries(handlers)) app.get(path, respond(handler));
app.get(
  "/own-error",
  respond(
    () => notFound("Track"),
    (_error, c) => c.text("ours", 404),
  ),
);

const REVALIDATED = { "cache-control": "private, max-age=0, must-revalidate, no-transform" };
const OPEN = { "access-control-allow-origin": "*" };
const CLOSED = {
  ...REVALIDATED,
  "content-type": "application/json; charset=utf-8",
  "x-content-type-options": "nosniff",
  "x-request-id": "of-this-test",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "cross-origin",
  vary: "Accept, Authorization, Origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};
const ALWAYS = { ...CLOSED, ...OPEN };

async function said(path: string, API_URL: string, headers: Record<string, string> = {}) {
  const init = { headers: { "X-Request-Id": "of-this-test", ...headers } };
  const reply = await app.request(path, init, { API_URL, DATABASE_URL } as Env);
  return Object.fromEntries(reply.headers);
}

beforeEach(() => {
  vi.spyOn(console, "info").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

test.each(["/set", "/made", "/replaced"])(
  "%s has all security headers, and HSTS over https",
  async (path) => {
    expect(await said(path, "http://localhost")).toEqual(ALWAYS);
    const stay = "max-age=31536000; includeSubDomains";
    expect(await said(path, "https://api.example.com")).toEqual({
      ...ALWAYS,
      "strict-transport-security": stay,
    });
  },
);

test.each(["/set", "/made", "/replaced"])("%s exposes its headers to pages", async (path) => {
  const sentHeaders = await said(path, "http://localhost", { Origin: "https://page.example" });
  expect(sentHeaders).toEqual({
    ...ALWAYS,
    "access-control-expose-headers": expect.stringMatching(/(^|, )X-Request-Id$/),
  });
});

test("a page keeps its own policy", async () => {
  const policy = { "content-security-policy": "default-src 'self'" };
  expect(await said("/page", "http://localhost")).toEqual({ ...ALWAYS, ...policy });
});

test("a reply closed to other origins has no CORS headers", async () => {
  expect(await said("/closed", "http://localhost", { Origin: "https://page.example" })).toEqual(CLOSED);
});

test("each request logs one line with the fields added on its way", async () => {
  const gathering = new Hono<AppEnv>().get(
    "/gathered/:id",
    respond((c) => {
      c.get("log").add({ service: 'a "quoted"\n one' });
      c.get("log").add({ sqlstate: undefined, tried: 2 });
      return c.json({});
    }),
  );
  const env = { API_URL: "http://localhost", DATABASE_URL } as Env;
  await gathering.request("/gathered/7", { headers: { "X-Request-Id": "of-this-test" } }, env);
  const lines = vi.mocked(console.info).mock.calls;
  expect(lines).toHaveLength(1);
  expect(JSON.parse(String(lines[0]?.[0]))).toEqual({
    ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    level: "info",
    event: "request",
    request_id: "of-this-test",
    method: "GET",
    route: "/gathered/:id",
    status: 200,
    ms: expect.any(Number),
    sql_n: 0,
    sql_ms: 0,
    service: 'a "quoted"\n one',
    tried: 2,
  });
});

test("a handler's error is an ordinary reply, with the route's own message if it has one", async () => {
  const headers = await said("/refused", "http://localhost");
  expect(headers).toMatchObject({ ...OPEN, "x-request-id": "of-this-test", "cache-control": "no-store" });
  const own = await app.request("/own-error", {}, { API_URL: "http://localhost", DATABASE_URL } as Env);
  expect([own.status, await own.text(), own.headers.get("x-content-type-options")]).toEqual([
    404,
    "ours",
    "nosniff",
  ]);
});

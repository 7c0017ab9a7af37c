import { Hono } from "hono";
import { expect, test } from "vitest";
import * as z from "zod";
import type { AppEnv, Env, Viewer } from "../../functions/lib/http/env.ts";
import { renderError } from "../../functions/lib/http/errors.ts";
import { Routes } from "../../functions/lib/http/route.ts";
import { StatusBody, statusBody } from "../../functions/lib/http/status.ts";
import { idText } from "../../functions/lib/text/fields.ts";

const TrackId = z.object({ id: idText("tracks") });
const Limit = z.object({ limit: z.coerce.number().int().max(50).default(10) });
const Title = z.object({ title: z.string() });

const routes = new Routes();
const replies = { 200: StatusBody };

routes.put(
  "/tracks/:id",
  {
    operationId: "putTrack",
    summary: "Put",
    auth: "user",
    scope: "social",
    params: TrackId,
    query: Limit,
    body: Title,
    replies,
  },
  (c, { params, query, body }) => {
    const answered: { id: number; limit: number; title: string; userId: number } = {
      ...params,
      ...query,
      ...body,
      userId: c.var.viewer.userId,
    };
    return c.json(answered);
  },
);
routes.get(
  "/tracks",
  { operationId: "listTracks", summary: "List", auth: "token", query: Limit, badQuery: 400, replies },
  (c, { query }) => c.json({ ...query, app: c.var.viewer.clientId }),
);
routes.get(
  "/apps/:id",
  { operationId: "getApp", summary: "Get", auth: "page", params: TrackId, replies },
  (c) => c.json(statusBody(200)),
);
routes.page("/signin", (c) => c.text("page"));
routes.form("/signin", (c) => c.text("form"));
routes.otherwise("/signin", (c) => c.text("otherwise"));

let viewer: Viewer | null = null;
const app = new Hono<AppEnv>();
app.use((c, next) => {
  c.set("viewer", viewer);
  return next();
});
for (const { method, path, handler } of routes.list) app.on(method, path, handler);
app.onError((error, c) => renderError(error, c));

async function ask(path: string, init: RequestInit = {}) {
  const reply = await app.request(path, init, { API_URL: "http://localhost" } as Env);
  const text = await reply.text();
  return { status: reply.status, text, body: text.startsWith("{") ? JSON.parse(text) : undefined };
}

const putting = (body: string, type = "application/json") => ({
  method: "PUT",
  body,
  headers: { "Content-Type": type },
});

const USER = { sessionId: 1, clientId: "an-app", userId: 7 };

test("a handler gets the parsed input and the viewer", async () => {
  viewer = USER;
  const reply = await ask("/tracks/soundpost:tracks:3?limit=5", putting('{"title":"a"}'));
  expect(reply.body).toEqual({ id: 3, limit: 5, title: "a", userId: 7 });
  expect((await ask("/tracks")).body).toEqual({ limit: 10, app: "an-app" });
});

test("the first of several errors is reported: auth, parameters, query, body", async () => {
  const worst = "/tracks/none?limit=x";
  viewer = null;
  expect((await ask(worst, putting("{"))).status).toBe(401);
  viewer = { ...USER, userId: null };
  expect((await ask(worst, putting("{"))).status).toBe(401);
  viewer = USER;
  expect((await ask(worst, putting("{"))).status).toBe(404);
  expect((await ask("/tracks/3?limit=x", putting("{"))).status).toBe(422);
  expect((await ask("/tracks/3?limit=1&limit=2", putting("{"))).status).toBe(400);
  expect((await ask("/tracks/3", putting("{"))).status).toBe(400);
  expect((await ask("/tracks/3", putting("x", "text/plain"))).status).toBe(415);
  expect((await ask("/tracks/3", putting('{"title":1}'))).status).toBe(422);
});

test("400: a malformed query on a route that says so", async () => {
  viewer = USER;
  expect((await ask("/tracks?limit=x")).status).toBe(400);
});

test("a path may have a pattern, and pages and forms have no contract", async () => {
  expect((await ask("/apps/3")).status).toBe(200);
  expect((await ask("/apps/x")).status).toBe(404);
  const said = ["GET", "POST", "PUT"].map(async (method) => (await ask("/signin", { method })).text);
  expect(await Promise.all(said)).toEqual(["page", "form", "otherwise"]);
  expect(routes.list.filter(({ contract }) => !contract).map(({ method }) => method)).toEqual([
    "GET",
    "POST",
    "ALL",
  ]);
});

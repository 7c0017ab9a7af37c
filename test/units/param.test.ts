import { Hono } from "hono";
import { expect, test } from "vitest";
import * as z from "zod";
import type { AppEnv, Env } from "../../functions/lib/http/env.ts";
import { renderError } from "../../functions/lib/http/errors.ts";
import { parseParams } from "../../functions/lib/http/validate.ts";
import { idText } from "../../functions/lib/text/fields.ts";

const trackId = parseParams(z.object({ id: idText("tracks") }));
const userId = parseParams(z.object({ id: idText("users") }));
const both = parseParams(z.object({ id: idText("tracks"), user: idText("users") }));

const app = new Hono<AppEnv>()
  .get("/tracks/:id", (c) => c.json(trackId(c)))
  .get("/tracks/:id/likes/:user", (c) => c.json(both(c)))
  .get("/users/:id", (c) => c.json(userId(c)));
app.onError((error, c) => renderError(error, c));

const ask = async (path: string) => {
  const reply = await app.request(path, {}, { API_URL: "http://localhost" } as Env);
  return reply.status === 200 ? await reply.json() : reply.status;
};

test("an id may be a number or a URN of its kind", async () => {
  expect(await ask("/tracks/71")).toEqual({ id: 71 });
  expect(await ask("/tracks/soundpost:tracks:71")).toEqual({ id: 71 });
  expect(await ask("/users/soundpost:users:7")).toEqual({ id: 7 });
});

test("404 for a malformed id and for the URN of another kind", async () => {
  for (const path of ["/tracks/0", "/tracks/7x", "/tracks/soundpost:users:7", "/tracks/99999999999999999"])
    expect([path, await ask(path)]).toEqual([path, 404]);
});

test("each of two parameters counts", async () => {
  expect(await ask("/tracks/81/likes/1")).toEqual({ id: 81, user: 1 });
  expect(await ask("/tracks/81/likes/2")).toEqual({ id: 81, user: 2 });
});

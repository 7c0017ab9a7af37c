import { Hono } from "hono";
import { expect, test } from "vitest";
import * as z from "zod";
import type { AppEnv, Env } from "../../functions/http/env.ts";
import { renderError } from "../../functions/http/errors.ts";
import { parseParams } from "../../functions/http/validate.ts";
import { idText } from "../../functions/text/fields.ts";

let parsed = 0;
const counted = <Schema extends z.ZodType>(schema: Schema) =>
  schema.refine(() => {
    parsed += 1;
    return true;
  });

const TrackId = z.object({ id: counted(idText("tracks")) });
const UserId = z.object({ id: counted(idText("users")) });
const Both = z.object({ id: counted(idText("tracks")), user: idText("users") });
const Name = z.object({ name: counted(z.string()) });

const trackId = parseParams(TrackId);
const app = new Hono<AppEnv>()
  .get("/tracks/:id", (c) => c.json(trackId(c)))
  .get("/tracks/:id/likes", (c) => c.json(parseParams(TrackId)(c)))
  .get("/tracks/:id/likes/:user", (c) => c.json(parseParams(Both)(c)))
  .get("/users/:id", (c) => c.json(parseParams(UserId)(c)))
  .get("/names/:name", (c) => c.json(parseParams(Name)(c)));
app.onError((error, c) => renderError(error, c));

const ask = async (path: string) => {
  const reply = await app.request(path, {}, { API_URL: "http://localhost" } as Env);
  return reply.status === 200 ? await reply.json() : reply.status;
};

/** How often parameters were parsed during the work. */
async function parsing(work: () => Promise<unknown>): Promise<number> {
  const before = parsed;
  await work();
  return parsed - before;
}

test("an id is parsed once and keeps its value across requests", async () => {
  const times = await parsing(async () => {
    expect(await ask("/tracks/71")).toEqual({ id: 71 });
    expect(await ask("/tracks/71")).toEqual({ id: 71 });
    expect(await ask("/tracks/71/likes")).toEqual({ id: 71 });
  });
  expect(times).toBe(1);
  expect(await ask("/tracks/soundpost:tracks:71")).toEqual({ id: 71 });
});

test("a refused value is refused again, and caches of different kinds are separate", async () => {
  for (const path of ["/tracks/0", "/tracks/7x", "/tracks/soundpost:users:7", "/tracks/99999999999999999"])
    expect([path, await ask(path), await ask(path)]).toEqual([path, 404, 404]);
  expect(await ask("/users/soundpost:users:7")).toEqual({ id: 7 });
  expect(await ask("/tracks/soundpost:users:7")).toBe(404);
});

test("each of two parameters counts", async () => {
  expect(await ask("/tracks/81/likes/1")).toEqual({ id: 81, user: 1 });
  expect(await ask("/tracks/81/likes/2")).toEqual({ id: 81, user: 2 });
});

test("the cache is bounded, in bytes and in length of values", async () => {
  const long = "n".repeat(65);
  expect(await parsing(() => ask(`/names/${long}`))).toBe(1);
  expect(await parsing(() => ask(`/names/${long}`))).toBe(1);
  for (let id = 1; id <= 1_000; id++) await ask(`/names/${id}`);
  expect(await parsing(() => ask("/names/1"))).toBe(0);
  // 256 KiB, of some 200 bytes each.
  for (let id = 1_001; id <= 2_400; id++) await ask(`/names/${id}`);
  expect(await parsing(() => ask("/names/2400"))).toBe(0);
  expect(await parsing(() => ask("/names/1"))).toBe(1);
});

import { Hono, type MiddlewareHandler } from "hono";
import { beforeEach, expect, test } from "vitest";
import { ahead, aheadOfReads, inFewLayers } from "../../functions/http/ahead.ts";

let seen: string[] = [];

beforeEach(() => {
  seen = [];
});

const check = (name: string) => ahead(() => void seen.push(name));

const around =
  (name: string): MiddlewareHandler =>
  async (c, next) => {
    seen.push(name);
    await next();
    seen.push(`${name} saw ${c.res.status}`);
  };

const routes = new Hono()
  .use(check("first"), around("all"))
  .get(
    "/read",
    check("second"),
    aheadOfReads(() => void seen.push("third"), around("changing")),
    (c) => c.text("read"),
  )
  .post(
    "/change",
    aheadOfReads(() => void seen.push("third"), around("changing")),
    (c) => c.text("changed"),
  )
  .get(
    "/refused",
    ahead(() => {
      throw new Error("no");
    }),
    check("never"),
    (c) => c.text("never"),
  );

const app = new Hono();
for (const { method, path, handler } of inFewLayers(routes.routes)) app.on(method, path, handler);
app.onError((_error, c) => c.text("refused", 403));

test("what only stands ahead of a handler is no layer of its own", async () => {
  const layers = inFewLayers(routes.routes).map(({ method, path }) => `${method} ${path}`);
  expect(layers).toEqual(["ALL /*", "GET /read", "POST /change", "POST /change", "GET /refused"]);
  expect(await (await app.request("/read")).text()).toBe("read");
  expect(seen).toEqual(["first", "all", "second", "third", "all saw 200"]);
});

test("around a request that changes something, all of a middleware stays", async () => {
  expect(await (await app.request("/change", { method: "POST" })).text()).toBe("changed");
  expect(seen).toEqual(["first", "all", "third", "changing", "changing saw 200", "all saw 200"]);
});

test("what is refused ahead of a handler is an answer to all around it", async () => {
  expect((await app.request("/refused")).status).toBe(403);
  expect(seen).toEqual(["first", "all", "all saw 403"]);
});

import { Hono, type MiddlewareHandler } from "hono";
import { beforeEach, expect, test } from "vitest";
import { ahead, inOneEach, step } from "../../functions/http/chain.ts";

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

const aroundChanges = step((c) => {
  seen.push("third");
  return c.req.method === "GET" ? undefined : (next) => around("changing")(c, next);
});

const routes = new Hono()
  .get("/read", check("second"), aroundChanges, (c) => c.text("read"))
  .post("/change", aroundChanges, (c) => c.text("changed"))
  .get(
    "/refused",
    around("all"),
    ahead(() => {
      throw new Error("no");
    }),
    check("never"),
    (c) => c.text("never"),
  )
  .get("/left/*", around("left"))
  .get("/left/:to", check("fourth"), (c) => c.text(`left to ${c.req.param("to")}`));

const each = inOneEach(routes.routes, (_error, c) => c.text("refused", 403));

const app = new Hono();
for (const { method, path, handler } of each) app.on(method, path, handler);

test("all handlers of a route are one", async () => {
  const paths = each.map(({ method, path }) => `${method} ${path}`);
  expect(paths).toEqual(["GET /read", "POST /change", "GET /refused", "GET /left/*", "GET /left/:to"]);
  expect(await (await app.request("/read")).text()).toBe("read");
  expect(seen).toEqual(["second", "third"]);
});

test("around a request that changes something, all of a middleware stays", async () => {
  expect(await (await app.request("/change", { method: "POST" })).text()).toBe("changed");
  expect(seen).toEqual(["third", "changing", "changing saw 200"]);
});

test("one route passes a request on to the next", async () => {
  expect(await (await app.request("/left/right")).text()).toBe("left to right");
  expect(seen).toEqual(["left", "fourth", "left saw 200"]);
});

test("what is refused ahead of a handler is an answer to all around it", async () => {
  expect((await app.request("/refused")).status).toBe(403);
  expect(seen).toEqual(["all", "all saw 403"]);
});

import { expect, test } from "vitest";
import { stack } from "../../support/stack.ts";
import { fetchAt, threeHosts } from "../../web/site/three-hosts.ts";

const service = await threeHosts();

const ask = (host: string, path: string) => service.ask(host, path, { headers: { Accept: "*/*" } });

const PATHS = ["/", "/signin", "/tracks", "/oauth/token", "/docs", "/openapi.json", "/player", "/nothing/"];

test.each(["evil.example", "127.0.0.1", "localhost:81", "api.localhost:1"])(
  "421: %s is not a host of the service, and gets no route",
  async (host) => {
    for (const path of PATHS) {
      const reply = await ask(host, path);
      expect([path, reply.status]).toEqual([path, 421]);
      expect(await reply.json()).toMatchObject({
        message: "421 - Misdirected Request",
        errors: [{ error_message: expect.stringContaining(`There is no ${host} here`) }],
      });
    }
  },
);

test("probes find the service by its address", async () => {
  for (const path of ["/healthz", "/readyz"]) expect((await ask("203.0.113.7", path)).status).toBe(200);
});

test("a local server accepts each name of its machine", async () => {
  for (const name of ["127.0.0.1", "localhost"])
    expect((await fetch(`http://${name}:${stack.ports.front}/openapi.json`)).status).toBe(200);
  const rebound = await fetchAt(stack.ports.front, "evil.example", "/openapi.json");
  expect(rebound.status).toBe(421);
});

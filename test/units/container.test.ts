import { ContainerProxy } from "@cloudflare/containers";
import { afterEach, expect, test, vi } from "vitest";
import { TranscoderContainer } from "../../workers/container.ts";

/** The platform's base classes, of which there is nothing outside it: they hold what they are given. */
vi.mock("cloudflare:workers", () => {
  class Base {
    readonly ctx: unknown;
    readonly env: unknown;
    constructor(ctx: unknown, env: unknown) {
      this.ctx = ctx;
      this.env = env;
    }
  }
  return { DurableObject: Base, WorkerEntrypoint: Base };
});

const PLATFORM = {
  container: { running: false },
  storage: { kv: { get: () => undefined }, sql: { exec: () => [] } },
  blockConcurrencyWhile: () => {},
};

const ENV = { SIGNING_KEYS: "{}" };

/** As the library asks on behalf of our class, of every host or only of those it knows. */
function proxy(interceptAll: boolean) {
  const { enableInternet, allowedHosts } = new TranscoderContainer(PLATFORM as never, ENV as never);
  const props = {
    className: TranscoderContainer.name,
    containerId: "1",
    enableInternet,
    allowedHosts,
    interceptAll,
  };
  return new ContainerProxy({ props } as never, ENV as never);
}

afterEach(() => vi.restoreAllMocks());

test.for([
  "http://169.254.169.254/latest/meta-data/",
  "http://example.com/",
  "https://example.com/",
  "http://127.0.0.1:8080/",
  "http://[::1]/",
  "http://internal.worker.internal/",
  "http://worker.internal.example.com/",
])("X57: the transcoder's container cannot reach %s", async (url) => {
  const outside = vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("it went out"));
  for (const interceptAll of [true, false])
    expect((await proxy(interceptAll).fetch(new Request(url))).status).toBe(520);
  expect(outside).not.toHaveBeenCalled();
});

test("X57: but our gateway, which asks for a ticket", async () => {
  const reply = await proxy(false).fetch(new Request("http://worker.internal/jobs/1/source"));
  expect([reply.status, await reply.json()]).toEqual([401, { error: "bad_ticket" }]);
  expect(Object.keys(TranscoderContainer.outboundByHost ?? {})).toEqual(["worker.internal"]);
  expect(TranscoderContainer.outbound).toBeUndefined();
});

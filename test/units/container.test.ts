import { ContainerProxy } from "@cloudflare/containers";
import { afterEach, expect, test, vi } from "vitest";
import { TranscoderContainer } from "../../workers/encoding/container.ts";

/** Replaces the platform's base classes, which exist nowhere else. They store their arguments. */
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
  id: { name: "pool-3" },
  container: { running: false },
  waitUntil: () => {},
  storage: {
    kv: { get: () => undefined },
    sql: { exec: () => [] },
    get: async () => undefined,
    put: async () => {},
  },
  blockConcurrencyWhile: () => {},
};

const ENV = { SIGNING_KEYS: "{}" };

/** Imitates the library's requests for our class, with every host intercepted or only known ones. */
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
])("the transcoder's container cannot reach %s (X57)", async (url) => {
  const outside = vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("it went out"));
  for (const interceptAll of [true, false])
    expect((await proxy(interceptAll).fetch(new Request(url))).status).toBe(520);
  expect(outside).not.toHaveBeenCalled();
});

test("the transcoder's container reaches our gateway, which demands a ticket (X57)", async () => {
  const reply = await proxy(false).fetch(new Request("http://worker.internal/jobs/1/source"));
  expect([reply.status, await reply.json()]).toEqual([401, { error: "bad_ticket" }]);
  expect(Object.keys(TranscoderContainer.outboundByHost ?? {})).toEqual(["worker.internal"]);
  expect(TranscoderContainer.outbound).toBeUndefined();
});

test("a job offered to a stopped container is answered at once, and starts it once", async () => {
  const container = new TranscoderContainer(PLATFORM as never, ENV as never);
  const start = Promise.withResolvers<void>();
  const starts = vi.spyOn(container, "startAndWaitForPorts").mockReturnValue(start.promise);
  const offer = () => container.fetch(new Request("http://transcoder/jobs", { method: "POST", body: "{}" }));
  for (const reply of [await offer(), await offer()])
    expect([reply.status, await reply.json()]).toEqual([503, { error: "starting" }]);
  expect(starts).toHaveBeenCalledTimes(1);
  start.resolve();
  await start.promise;
  await expect.poll(async () => (await offer()) && starts.mock.calls.length).toBeGreaterThan(1);
});

test("pictures wait for the container to start", async () => {
  const container = new TranscoderContainer(PLATFORM as never, ENV as never);
  const asked = vi.spyOn(container, "containerFetch").mockResolvedValue(new Response("jpegs"));
  const reply = await container.fetch(new Request("http://transcoder/images?sizes=100", { method: "POST" }));
  expect(await reply.text()).toBe("jpegs");
  expect(asked).toHaveBeenCalledTimes(1);
});

test.for([
  [{ jobs: 1, idle_s: 0 }, "kept"],
  [{ jobs: 0, idle_s: 119 }, "kept"],
  [{ jobs: 0, idle_s: 120 }, "stopped"],
] as const)("a container that reports %o is %s when nothing was asked of it", async ([health, fate]) => {
  const container = new TranscoderContainer(PLATFORM as never, ENV as never);
  vi.spyOn(container, "containerFetch").mockResolvedValue(Response.json(health));
  const [renew, stop] = [vi.spyOn(container, "renewActivityTimeout"), vi.spyOn(container, "stop")];
  stop.mockResolvedValue();
  await container.onActivityExpired();
  expect([renew.mock.calls.length, stop.mock.calls.length]).toEqual(fate === "kept" ? [1, 0] : [0, 1]);
});

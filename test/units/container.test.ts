import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ContainerOutbound, TranscoderContainer } from "../../workers/encoding/container.ts";

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

const ENV = { SIGNING_KEYS: "{}" };

/** Imitates the platform's container, which listens once `listens` is called. */
function openPlatform({ running = false, health = { jobs: 0, idle_s: 0 } } = {}) {
  const listening = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  if (running) listening.resolve();
  const container = {
    running,
    starts: [] as unknown[],
    signals: [] as number[],
    outbound: undefined as unknown,
    start(options: unknown) {
      container.starts.push(options);
      container.running = true;
    },
    monitor: () => ended.promise,
    signal: (signal: number) => container.signals.push(signal),
    setInactivityTimeout: async () => {},
    interceptAllOutboundHttp: async (outbound: unknown) => {
      container.outbound = outbound;
    },
    getTcpPort: (port: number) => ({
      async fetch(asked: Request | string) {
        await listening.promise;
        const { pathname } = new URL(typeof asked === "string" ? asked : asked.url);
        return pathname === "/healthz" ? Response.json(health) : new Response(`${port}${pathname}`);
      },
    }),
  };
  const alarms: number[] = [];
  const waits: Promise<unknown>[] = [];
  const ctx = {
    id: { name: "pool-3" },
    container,
    exports: { ContainerOutbound: "ours" },
    storage: { setAlarm: async (at: number) => alarms.push(at) },
    waitUntil: (wait: Promise<unknown>) => waits.push(wait),
  };
  const object = new TranscoderContainer(ctx as never, ENV as never);
  return { object, container, alarms, waits, listens: listening.resolve, ends: ended.resolve };
}

const offer = () => new Request("http://transcoder/jobs", { method: "POST", body: "{}" });

/** The log. Without a database the object says what it could not note. */
let events: string[];
beforeEach(() => {
  events = [];
  const note = (line: string) => void events.push(JSON.parse(line).event);
  for (const level of ["log", "warn", "error"] as const) vi.spyOn(console, level).mockImplementation(note);
});
afterEach(() => vi.restoreAllMocks());

test.for([
  "http://169.254.169.254/latest/meta-data/",
  "http://example.com/",
  "https://example.com/",
  "http://127.0.0.1:8080/",
  "http://[::1]/",
  "http://worker.internal:8080/",
  "http://internal.worker.internal/",
  "http://worker.internal.example.com/",
])("the transcoder's container cannot reach %s (X57)", async (url) => {
  const outside = vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("it went out"));
  const reply = await new ContainerOutbound(null as never, ENV as never).fetch(new Request(url));
  expect(reply.status).toBe(403);
  expect(outside).not.toHaveBeenCalled();
});

test("the transcoder's container reaches our gateway, which demands a ticket (X57)", async () => {
  const asked = new Request("http://worker.internal/jobs/1/source");
  const reply = await new ContainerOutbound(null as never, ENV as never).fetch(asked);
  expect([reply.status, await reply.json()]).toEqual([401, { error: "bad_ticket" }]);
});

test("a job offered to a stopped container is answered at once, and starts it once, without the internet", async () => {
  const { object, container, alarms, listens } = openPlatform();
  for (const reply of [await object.fetch(offer()), await object.fetch(offer())])
    expect([reply.status, await reply.json()]).toEqual([503, { error: "starting" }]);
  listens();
  await expect.poll(() => alarms.length).toBe(1);
  expect(container).toMatchObject({ starts: [{ enableInternet: false }], outbound: "ours" });
  await expect.poll(async () => (await object.fetch(offer())).text()).toBe("8080/jobs");
});

test("a container that ends while it starts is started again", async () => {
  const { object, container, listens } = openPlatform();
  vi.spyOn(container, "getTcpPort").mockImplementationOnce(() => {
    container.running = false;
    throw new Error("the container is not listening");
  });
  listens();
  await object.fetch(offer());
  await expect.poll(() => container.starts.length).toBe(2);
});

test("pictures wait for the container to start", async () => {
  const { object, listens } = openPlatform();
  const reply = object.fetch(new Request("http://transcoder/images?sizes=100", { method: "POST" }));
  listens();
  expect(await (await reply).text()).toBe("8080/images");
});

test.for([
  [{ jobs: 1, idle_s: 0 }, []],
  [{ jobs: 0, idle_s: 119 }, []],
  [{ jobs: 0, idle_s: 120 }, [15]],
] as const)(
  "a container that reports %o gets the signals %o, and is checked again",
  async ([health, signals]) => {
    const { object, container, alarms } = openPlatform({ running: true, health });
    await object.alarm();
    expect(container.signals).toEqual(signals);
    expect(alarms).toHaveLength(1);
  },
);

test("the end of a container is noted when it comes, and by the alarm where nobody saw it", async () => {
  const seen = openPlatform({ running: true });
  seen.ends();
  await expect.poll(() => events).toEqual(["container_stop_not_noted"]);
  const missed = openPlatform();
  await missed.object.alarm();
  expect(events).toHaveLength(2);
  expect(missed.alarms).toEqual([]);
});

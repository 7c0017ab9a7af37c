import { join } from "node:path";
import {
  convertV4MiniflareOptions,
  HttpOptions_Style,
  Log,
  LogLevel,
  Miniflare,
  type V4WorkerOptionsShape,
  type WorkerdStructuredLog,
} from "miniflare";
import { assetsVersion } from "../../build/static-assets.ts";
import { lineWriter } from "../stack/log-file.ts";
import { childrenOf, environmentOf, identityOf, type ProcessIdentity } from "../stack/processes.ts";
import type { Watchdog } from "../stack/watchdog.ts";
import { assetsOf, builtModules, QUIET_WRANGLER, wranglerOptions } from "./build.ts";
import { onClockSetBack } from "./clock.ts";
import { openCrons } from "./crons.ts";

const NAME = "soundpost";
/** Set in workerd's environment to tell our workerd from that of another stack in this process. */
const MARK = "SOUNDPOST_DATA_DIR";
/** Ctrl-C ends workerd too, and its end can be seen before the signal is. A stop that follows explains it. */
const REPORT_DELAY_MS = 500;

/**
 * MiB of young objects, and of old ones before the first full collection. Without them garbage waits for hours, since nothing
 * bounds an isolate here; a deployed one has 128 MB. Miniflare reads them from the environment alone.
 */
const V8_FLAGS = "--max-semi-space-size=4 --initial-old-space-size=8";

type WorkerOptions = {
  dataDir: string;
  /** `gateway`: the entrypoint that the transcoder calls back. */
  ports: { worker: number; gateway: number };
  bindings: Record<string, string>;
  /** The proxy that webhooks go through. `undefined`: they go directly. */
  publicNetwork?: { port: number; secret: string } | undefined;
  crons: boolean;
  /** Takes each line of the log, besides its file. */
  ship?: ((line: string) => void) | undefined;
  watchdog: Watchdog;
  log: (line: string) => void;
  changed: () => void;
};

/** Runs queues and crons as the platform does: `queue(name, messages)`, `scheduled({ cron })`. */
export type WorkerHandle = {
  queue(name: string, messages: QueuedMessage[]): Promise<QueueOutcome>;
  scheduled(event: { cron: string; scheduledTime?: Date }): Promise<{ outcome: string; noRetry: boolean }>;
};

export type QueuedMessage = { id: string; timestamp: Date; attempts: number; body: unknown };
export type QueueOutcome = {
  outcome: string;
  ackAll: boolean;
  retryBatch: { retry: boolean; delaySeconds?: number };
  explicitAcks: string[];
  retryMessages: { msgId: string; delaySeconds?: number }[];
};

export type RunningWorker = WorkerHandle & {
  identity(): ProcessIdentity | undefined;
  /** Replaces the running bundle by that of another directory, or keeps it if the other does not start. Requests under way fail. */
  reload(bundle: string): Promise<void>;
  /** Begins the stop: no cron starts any more, and the end of workerd is no crash. */
  windDown(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Runs the built bundle in workerd with the bindings of wrangler.toml, on direct sockets without a dev proxy.
 */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { dataDir, log } = options;
  Object.assign(process.env, QUIET_WRANGLER, { MINIFLARE_WORKERD_V8_FLAGS: V8_FLAGS });
  const bundle = join(dataDir, "worker");
  const declared = wranglerOptions(bundle);
  let stopping = false;

  const workerd = followWorkerd(options);
  const notice = () => {
    if (!stopping) workerd.look();
  };

  const logs = logsOf(dataDir, (line) => stopping || log(line), options.ship);
  const optionsFor = (directory: string) =>
    convertV4MiniflareOptions({
      cf: false,
      ...logs,
      unsafeHandleRuntimeRestart: notice,
      unsafeRuntimeEnv: { [MARK]: dataDir },
      workers: [workerIn(directory, declared, options)],
    });

  const miniflare = withoutSignals(() => new Miniflare(optionsFor(bundle)));
  await miniflare.ready;
  notice();

  let running = bundle;
  let reloading: Promise<unknown> = Promise.resolve();
  /** Fetched for each call, because a restart of workerd invalidates the handle. */
  const handle = async () => {
    await reloading;
    return (await miniflare.getWorker(NAME)) as unknown as WorkerHandle;
  };
  const queue: WorkerHandle["queue"] = async (name, messages) => (await handle()).queue(name, messages);
  const scheduled: WorkerHandle["scheduled"] = async (event) => (await handle()).scheduled(event);
  const crons = options.crons
    ? openCrons({ scheduled, log, sandbox: options.bindings.SANDBOX === "on" })
    : undefined;

  async function reload(directory: string): Promise<void> {
    const use = (one: string) => miniflare.setOptions(optionsFor(one)).then(notice);
    const replaced = use(directory).catch(async (error: unknown) => {
      // Miniflare has ended the workerd before.
      await use(running);
      throw error;
    });
    reloading = replaced.catch(() => {});
    await replaced;
    running = directory;
  }
  const clock = onClockSetBack(async (byMs) => {
    log(`The clock was set back by ${Math.round(byMs / 1000)} seconds; starting the Worker again`);
    await reloading;
    if (!stopping) await reload(running).catch((error: Error) => log(`The Worker: ${error.message}`));
  });
  const windDown = async () => {
    stopping = true;
    clock.stop();
    await crons?.stop();
  };

  return {
    queue,
    scheduled,
    identity: workerd.identity,
    reload,
    windDown,
    async stop() {
      await windDown();
      await miniflare.dispose();
      workerd.forget();
    },
  };
}

/** Follows workerd from process to process: Miniflare restarts a dead one without reporting its pid. */
function followWorkerd({ dataDir, watchdog, changed }: WorkerOptions) {
  let identity: ProcessIdentity | undefined;
  const forget = () => {
    if (identity) watchdog.forget(identity.pid);
  };
  return {
    identity: () => identity,
    look() {
      forget();
      const isOurs = (child: number) => environmentOf(child).includes(`${MARK}=${dataDir}`);
      const pid = childrenOf(process.pid).find(isOurs);
      if (pid === undefined) return;
      identity = identityOf(pid);
      watchdog.watch(pid, "SIGKILL");
      changed();
    },
    forget,
  };
}

/** Begins remarks for those who build workerd. At each start it says that our flags keep it from its cache of its own scripts. */
const FOR_ITS_MAKERS = "NOSENTRY ";

/** Writes the Worker's lines to a file, and prints those that a person should see. */
function logsOf(dataDir: string, print: (line: string) => void, ship?: (line: string) => void) {
  const write = lineWriter(join(dataDir, "logs/worker.log"));
  const verbose = process.env.LOG === "verbose";
  return {
    log: new RuntimeLog((line) => setTimeout(() => print(line), REPORT_DELAY_MS).unref()),
    handleStructuredLogs({ timestamp, level, message }: WorkerdStructuredLog) {
      const line = message.startsWith("{")
        ? message
        : JSON.stringify({ time: new Date(timestamp), level, message });
      write(line);
      ship?.(line);
      const concerns = (level === "error" || level === "warn") && !message.startsWith(FOR_ITS_MAKERS);
      if (verbose || concerns) print(`worker: ${message}`);
    },
  };
}

/** The Worker of a bundle's directory. `declared`: what wrangler.toml says. */
const workerIn = (
  directory: string,
  declared: V4WorkerOptionsShape,
  { ports, bindings, publicNetwork }: WorkerOptions,
) => ({
  ...declared,
  name: NAME,
  rootPath: directory,
  modules: builtModules(directory),
  serviceBindings: {
    ASSETS: { disk: { path: assetsOf(directory) } },
    ...(publicNetwork && { PUBLIC_NETWORK: proxyAt(publicNetwork) }),
  },
  bindings: { ...declared.bindings, ASSETS_VERSION: assetsVersion(assetsOf(directory)), ...bindings },
  unsafeDirectSockets: [
    { host: "127.0.0.1", port: ports.worker },
    { host: "127.0.0.1", port: ports.gateway, entrypoint: "TranscoderGateway" },
  ],
});

/** Gets requests with their whole address. */
const proxyAt = ({ port, secret }: { port: number; secret: string }) => ({
  external: {
    address: `127.0.0.1:${port}`,
    http: {
      style: HttpOptions_Style.PROXY,
      injectRequestHeaders: [{ name: "Proxy-Authorization", value: `Bearer ${secret}` }],
    },
  },
});

/** Miniflare would end the process on a signal before an orderly stop. It still kills workerd on exit. */
function withoutSignals<T>(create: () => T): T {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const before = signals.map((signal) => process.listeners(signal));
  const created = create();
  for (const [index, signal] of signals.entries()) {
    const added = process.listeners(signal).filter((listener) => !before[index]?.includes(listener));
    for (const listener of added) process.off(signal, listener);
  }
  return created;
}

class RuntimeLog extends Log {
  readonly #write: (line: string) => void;
  constructor(write: (line: string) => void) {
    super(LogLevel.WARN);
    this.#write = write;
  }
  override log(message: string): void {
    this.#write(message);
  }
}

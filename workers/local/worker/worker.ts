import { join } from "node:path";
import { convertV4MiniflareOptions, HttpOptions_Style, Log, LogLevel, Miniflare } from "miniflare";
import { assetsVersion } from "../../build/static-assets.ts";
import { lineWriter } from "../stack/log-file.ts";
import { childrenOf, environmentOf, identityOf, type ProcessIdentity } from "../stack/processes.ts";
import type { Watchdog } from "../stack/watchdog.ts";
import { assetsOf, builtModules, QUIET_WRANGLER, wranglerOptions } from "./build.ts";
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
  /** Port of the proxy that webhooks go through. `undefined`: they go directly. */
  publicNetworkPort?: number | undefined;
  crons: boolean;
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
  /** Replaces the running bundle by that of another directory. Requests under way fail. */
  reload(bundle: string): Promise<void>;
  /** Begins the stop: no cron starts any more, and the end of workerd is no crash. */
  windDown(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Runs the built bundle in workerd with the bindings of wrangler.toml, on direct sockets without a dev proxy.
 */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { dataDir, watchdog, log } = options;
  Object.assign(process.env, QUIET_WRANGLER, { MINIFLARE_WORKERD_V8_FLAGS: V8_FLAGS });
  const write = lineWriter(join(dataDir, "logs/worker.log"));
  const verbose = process.env.LOG === "verbose";
  const bundle = join(dataDir, "worker");
  const declared = wranglerOptions(bundle);
  let identity: ProcessIdentity | undefined;
  let stopping = false;

  /** Miniflare restarts a dead workerd without reporting its pid. */
  const notice = () => {
    if (stopping) return;
    const before = identity?.pid;
    if (before) watchdog.forget(before);
    const pid = childrenOf(process.pid).find((child) => environmentOf(child).includes(`${MARK}=${dataDir}`));
    if (pid === undefined) return;
    identity = identityOf(pid);
    watchdog.watch(pid, "SIGKILL");
    options.changed();
  };

  const optionsFor = (directory: string) =>
    convertV4MiniflareOptions({
      cf: false,
      log: new RuntimeLog((line) => setTimeout(() => stopping || log(line), REPORT_DELAY_MS).unref()),
      unsafeHandleRuntimeRestart: notice,
      unsafeRuntimeEnv: { [MARK]: dataDir },
      handleStructuredLogs({ timestamp, level, message }) {
        write(
          message.startsWith("{") ? message : JSON.stringify({ time: new Date(timestamp), level, message }),
        );
        if (!stopping && (verbose || level === "error" || level === "warn")) log(`worker: ${message}`);
      },
      workers: [
        {
          ...declared,
          name: NAME,
          rootPath: directory,
          modules: builtModules(directory),
          serviceBindings: {
            ASSETS: { disk: { path: assetsOf(directory) } },
            ...(options.publicNetworkPort && { PUBLIC_NETWORK: proxyAt(options.publicNetworkPort) }),
          },
          bindings: {
            ...declared.bindings,
            ASSETS_VERSION: assetsVersion(assetsOf(directory)),
            ...options.bindings,
          },
          unsafeDirectSockets: [
            { host: "127.0.0.1", port: options.ports.worker },
            { host: "127.0.0.1", port: options.ports.gateway, entrypoint: "TranscoderGateway" },
          ],
        },
      ],
    });

  const miniflare = withoutSignals(() => new Miniflare(optionsFor(bundle)));
  await miniflare.ready;
  notice();

  let reloading: Promise<void> = Promise.resolve();
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

  return {
    queue,
    scheduled,
    identity: () => identity,
    async reload(directory) {
      reloading = miniflare.setOptions(optionsFor(directory));
      await reloading;
      notice();
    },
    async windDown() {
      stopping = true;
      await crons?.stop();
    },
    async stop() {
      stopping = true;
      await crons?.stop();
      await miniflare.dispose();
      if (identity) watchdog.forget(identity.pid);
    },
  };
}

/** Gets requests with their whole address. */
const proxyAt = (port: number) => ({
  external: { address: `127.0.0.1:${port}`, http: { style: HttpOptions_Style.PROXY } },
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

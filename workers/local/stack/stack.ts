import { join } from "node:path";
import { messageOf } from "../../../functions/lib/errors/message-of.ts";
import { openCountryFile } from "../front/country-file.ts";
import { devPages } from "../front/dev-pages.ts";
import { type Mount, startFront } from "../front/front.ts";
import { machineMetrics } from "../front/machine-metrics.ts";
import { openStaticFiles } from "../front/static-files.ts";
import { startMail } from "../mail/service.ts";
import { startPlays } from "../plays/service.ts";
import { startSocial } from "../social/service.ts";
import { type Collector, openExporter } from "../telemetry/exporter.ts";
import { startPublicNetwork } from "../webhooks/public-network.ts";
import { behindNeonProxy, publicBindings, readBindings, workerBindings } from "../worker/bindings.ts";
import { buildWorker } from "../worker/build.ts";
import { innerUrl } from "../worker/loopback.ts";
import { type RunningWorker, startWorker, type WorkerHandle } from "../worker/worker.ts";
import { allOrThrow } from "./all-or-throw.ts";
import { explainFileError, openDataDir } from "./data-dir.ts";
import { prepareDatabase } from "./own-database.ts";
import type { OwnDatabase, OwnStorage } from "./own-parts.ts";
import { prepareStorage } from "./own-storage.ts";
import { freePorts } from "./ports.ts";
import { openProcessRegistry, type ProcessRegistry } from "./process-registry.ts";
import {
  addressesFor,
  lockDataDir,
  MOST_TRANSCODERS,
  PRIVATE_PORTS,
  type StackAddresses,
  type StackRecord,
  stopRemains,
} from "./record.ts";
import { markSandbox } from "./sandbox.ts";
import { keepSecrets, type Secrets } from "./secrets.ts";
import { type Listening, objectStore, transcoder } from "./services.ts";
import { ownMachine, type Server } from "./settings.ts";
import { type DatabaseOptions, startDatabase } from "./start-database.ts";
import type { Service } from "./supervisor.ts";

export type StackOptions = {
  /** The front's port. The older host and the object store use the next two. */
  port: number;
  dataDir: string;
  log: (line: string) => void;
  /** Addresses and reach; by default this machine alone. */
  server?: Server;
  /** The operator's own, instead of the embedded ones. */
  database?: OwnDatabase | undefined;
  storage?: OwnStorage | undefined;
  /** Overrides and additions to the Worker's variables, which may depend on the stack's addresses. */
  env?: Record<string, string> | ((addresses: StackAddresses) => Record<string, string>);
  /** `false`: `scheduled` runs only when a test calls it. */
  crons?: boolean;
  /** Started for one operator's command: another does not use it, since it may end at any moment. */
  forCommand?: boolean;
  /** The directory of PostgreSQL's programs. Without one they are found. */
  postgresBin?: string | undefined;
  /** The mail server. Without it mails are kept in `DATA_DIR/mail`. */
  smtp?: URL | undefined;
  /** The directory in which the embedded database archives its log. */
  backupDir?: string | undefined;
  /** Takes the Worker's log. */
  collector?: Collector | undefined;
  /** Adds a replica of the embedded database, for tests and measurements, on a new data directory. */
  replica?: { delayS: number };
  /** Processes of the pool: two, with half of the cores each, or one. */
  transcoders?: number;
};

export type Stack = StackRecord & {
  secrets: Secrets;
  worker: WorkerHandle & Pick<RunningWorker, "reload">;
  /** Current ids of postgres, objects, transcoder, transcoder-1 and worker. Restarts change them. */
  pids(): Record<string, number>;
  ffmpeg: Listening["ffmpeg"];
  /** Takes the Worker's mails. */
  mailPort: number;
  /** The proxy of the replica, if there is one. */
  replica: { proxyUrl: string } | undefined;
  stop(): Promise<void>;
};

/** Starts everything on one machine, stops it in reverse order, and cleans up after a failed start. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const dataDir = openDataDir(options.dataDir);
  const lock = await lockDataDir(dataDir);
  const stops: Stops = [lock.release];
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= (async () => {
      for (const one of stops.reverse()) await attempt(one, options.log);
    })();
    return stopped;
  };
  try {
    return { ...(await assemble({ ...options, dataDir }, stops)), stop };
  } catch (error) {
    await stop();
    throw explainFileError(error);
  }
}

/** Logs the failure, so that the remaining stops still run. */
async function attempt(stop: () => unknown, log: (line: string) => void): Promise<void> {
  try {
    await stop();
  } catch (error) {
    log(`While stopping: ${messageOf(error)}`);
  }
}

type Stops = (() => unknown)[];

async function assemble(options: StackOptions, stops: Stops) {
  const { dataDir, log, env: given, server = ownMachine(options.port), database, storage, replica } = options;
  const { crons = true, transcoders = MOST_TRANSCODERS, forCommand = false } = options;
  const { secrets, owned, addresses } = await prepare(options, server);
  const { urls, ports, proxyUrl } = addresses;
  const secret = secrets.TRANSCODER_SECRET;
  const env = typeof given === "function" ? given(addresses) : given;
  const registry = openProcessRegistry({ dataDir, addresses, log, forCommand });
  stops.push(registry.close);

  const services = {
    dataDir,
    addresses,
    secrets,
    registry,
    log,
    transcoders,
    bind: server.bind,
    embedsDatabase: !database,
    embedsStorage: !storage,
    backupDir: options.backupDir,
    replica: replica && { ...replica, port: await freePorts(2) },
    choice: { named: options.postgresBin, isPublic: server.isPublic },
  };
  const { ffmpeg, stopTranscoders } = await startServices(services, stops);
  if (env?.SANDBOX === "on") await markSandbox(addresses.databaseUrl);
  const { mail, plays, social } = await startReceivers(options, server, secret, stops);

  const supplied = { mailPort: mail.port, playsPort: plays.port, connectionServices: social?.setting };
  const bindings = {
    ...workerBindings({ urls, ports, secrets, proxyUrl, transcoders, ...supplied }),
    ...(services.replica && readBindings(secrets, services.replica.port + 1)),
    ...(owned && { DATABASE_URL: behindNeonProxy(owned.appDatabaseUrl) }),
    ...storage,
    ...(server.isPublic && publicBindings(urls, options.smtp !== undefined)),
    ...env,
    FRONT_SECRET: secret,
  };
  const network =
    bindings.WEBHOOK_TARGETS === "public"
      ? await startPublicNetwork({ DNS_URL: env?.DNS_URL, secret })
      : undefined;
  if (network) stops.push(network.stop);
  const publicNetwork = network && { port: network.port, secret };
  const exporter = options.collector && openExporter(options.collector, { log });
  if (exporter) stops.push(exporter.stop);
  const watched = { watchdog: registry.watchdog, changed: registry.changed, log, ship: exporter?.add };
  const worker = await startWorker({ dataDir, ports, bindings, publicNetwork, crons, ...watched });
  // The transcoders stop before the Worker, which must release their jobs.
  stops.push(worker.stop, stopTranscoders, plays.pause);
  plays.deliverTo(worker.queue);
  registry.add("worker", worker.identity);
  log("The Worker is up");

  const pages = social ? [mail.pages, social.pages] : [];
  const front = await openFront({ dataDir, addresses, secret, server, pids: registry.pids, pages });
  // Winding down comes first: crons start new jobs, and Ctrl-C may end workerd at any moment from now on.
  stops.push(front.close, worker.windDown);
  const reload = async (edited: string) => {
    await worker.reload(edited);
    front.replaceFiles(edited);
  };
  return {
    ...registry.record(),
    secrets,
    worker: { ...worker, reload },
    pids: registry.pids,
    ffmpeg,
    mailPort: mail.port,
    replica: services.replica && { proxyUrl: `${innerUrl(services.replica.port + 1, secret)}/sql` },
  };
}

/** Makes the operator's own parts ready, and finds secrets and addresses for the rest. */
async function prepare({ port, dataDir, log, database, storage }: StackOptions, server: Server) {
  await stopRemains(dataDir);
  const [secrets, privatePort] = await Promise.all([keepSecrets(dataDir), freePorts(PRIVATE_PORTS)]);
  const owned = database && (await prepareDatabase(database, secrets.DATABASE_APP_PASSWORD));
  if (storage) await prepareStorage(storage, server.urls.web, log);
  return { secrets, owned, addresses: { ...addressesFor(port, privatePort, secrets, server), ...owned } };
}

/** Starts what receives the Worker's mails, its plays and, unless the server is public, its posts to other services. */
async function startReceivers(
  { dataDir, log, smtp }: StackOptions,
  server: Server,
  secret: string,
  stops: Stops,
) {
  const mail = await startMail(join(dataDir, "mail"), secret, smtp);
  const plays = await startPlays(join(dataDir, "plays"), { secret, log });
  stops.push(mail.stop, plays.stop);
  const social = server.isPublic ? undefined : await startSocial(server.urls.api, secret);
  if (social) stops.push(social.stop);
  return { mail, plays, social };
}

/** Opens the ports that clients reach. */
async function openFront(options: {
  dataDir: string;
  addresses: StackAddresses;
  secret: string;
  server: Server;
  pids: ProcessRegistry["pids"];
  pages: Mount[];
}) {
  const { dataDir, secret, server, pids, pages } = options;
  const { ports, urls } = options.addresses;
  const files = openStaticFiles(join(dataDir, "worker"));
  const machine = machineMetrics({ workerPort: ports.worker, secret, pids, dataDir });
  const { close } = await startFront({
    ports: [ports.front, ports.older],
    workerPort: ports.worker,
    secret,
    apiUrl: urls.api,
    hosts: server.bind,
    clients: {
      ...server,
      countryOf: server.countryFile === undefined ? undefined : openCountryFile(server.countryFile),
    },
    mounts: [files.mount, machine, devPages(pages)],
  });
  return { close, replaceFiles: files.replace };
}

type Services = DatabaseOptions & {
  registry: ProcessRegistry;
  transcoders: number;
  bind: string[];
  embedsStorage: boolean;
};

/** Starts the Worker's services in parallel. Only migrations depend on another, the database. */
async function startServices(services: Services, stops: Stops) {
  const { dataDir, addresses, secrets, registry } = services;
  const { ports } = addresses;
  let ffmpeg: Listening["ffmpeg"];
  const keep = async (name: string, service: Service) => {
    const stop = await registry.start(name, service);
    stops.push(stop);
    return stop;
  };
  const listening = (first: Listening) => {
    ffmpeg = first.ffmpeg;
  };
  const transcoding = Array.from({ length: services.transcoders }, (_, place) => {
    const name = place ? `transcoder-${place}` : "transcoder";
    const port = ports.transcoder + place;
    const { databaseUrl } = addresses;
    return keep(name, transcoder({ name, place, dataDir, port, databaseUrl, secrets, listening }));
  });
  await allOrThrow([
    ...transcoding,
    startDatabase(services, keep, stops),
    ...(services.embedsStorage
      ? [keep("objects", objectStore({ dataDir, port: ports.objects, hosts: services.bind, secrets }))]
      : []),
    buildWorker(join(dataDir, "worker")),
  ]);
  const stopOfEach = await Promise.all(transcoding);
  return { ffmpeg, stopTranscoders: () => Promise.all(stopOfEach.map((stop) => stop())) };
}

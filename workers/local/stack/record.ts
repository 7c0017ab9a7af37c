import { readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { APP_ROLE, databaseUrl, OWNER_ROLE } from "../postgres/cluster.ts";
import { innerUrl } from "../worker/loopback.ts";
import { writePrivateFile } from "./private-file.ts";
import { isRunning, type ProcessIdentity, stopProcess } from "./processes.ts";
import { keepSecrets, type Secrets } from "./secrets.ts";
import { ownMachine, type Server } from "./settings.ts";
import { Held } from "./when-free.ts";

export type StackUrls = Server["urls"] & { docs: string; mail: string };
export type StackPorts = {
  front: number;
  older: number;
  objects: number;
  postgres: number;
  proxy: number;
  worker: number;
  gateway: number;
  /** The first transcoder's. The second uses the next one. */
  transcoder: number;
};

export type StackAddresses = {
  urls: StackUrls;
  ports: StackPorts;
  /** Direct connection as the owner, for migrations and inspection. */
  databaseUrl: string;
  /** Direct connection as the service's role. */
  appDatabaseUrl: string;
  /** Endpoint of the Neon driver. `GET stats` beside it lists its requests. */
  proxyUrl: string;
};

/** Contents of `DATA_DIR/stack.json`, read by admin, tests and the next start. */
export type StackRecord = ProcessIdentity &
  StackAddresses & {
    started_at: string;
    children: Record<string, ProcessIdentity>;
    /** An operator's command started it, and stops it at its end. */
    for_command?: boolean;
  };

/** Transcoders of a stack at most. */
export const MOST_TRANSCODERS = 2;

/** Consecutive ports that are not published. */
export const PRIVATE_PORTS = 4 + MOST_TRANSCODERS;

export function addressesFor(
  port: number,
  privatePort: number,
  secrets: Secrets,
  { urls }: Server = ownMachine(port),
): StackAddresses {
  const ports: StackPorts = {
    front: port,
    older: port + 1,
    objects: port + 2,
    postgres: privatePort,
    proxy: privatePort + 1,
    worker: privatePort + 2,
    gateway: privatePort + 3,
    transcoder: privatePort + 4,
  };
  return {
    ports,
    urls: { ...urls, docs: `${urls.api}/docs`, mail: `${urls.api}/dev/mail` },
    databaseUrl: databaseUrl(OWNER_ROLE, secrets.DATABASE_OWNER_PASSWORD, ports.postgres),
    appDatabaseUrl: databaseUrl(APP_ROLE, secrets.DATABASE_APP_PASSWORD, ports.postgres),
    proxyUrl: `${innerUrl(ports.proxy, secrets.TRANSCODER_SECRET)}/sql`,
  };
}

const pathIn = (dataDir: string) => `${dataDir}/stack.json`;

export const writeRecord = (dataDir: string, record: StackRecord) =>
  writePrivateFile(pathIn(dataDir), `${JSON.stringify(record, null, 2)}\n`);

export const removeRecord = (dataDir: string) => rmSync(pathIn(dataDir), { force: true });

function readRecord(dataDir: string): StackRecord | undefined {
  try {
    return JSON.parse(readFileSync(pathIn(dataDir), "utf8"));
  } catch {
    return undefined;
  }
}

/**
 * Returns the stack that runs on a data directory, with its secrets. `undefined` if none runs. Throws if it runs for a
 * command alone, since it may end at any moment.
 */
export async function readRunningStack(
  dataDir: string,
): Promise<(StackRecord & { secrets: Secrets }) | undefined> {
  const record = readRecord(dataDir);
  if (!record || !isRunning(record)) return undefined;
  if (record.for_command)
    throw new Held(
      `Another command (pid ${record.pid}) is at work on ${dataDir}: try again when it has ended`,
    );
  const secrets = await keepSecrets(dataDir);
  return { ...record, ...ownDatabase(record, secrets), secrets };
}

/** The addresses of the database in the directory, whose passwords may have been replaced since the start. */
function ownDatabase({ ports: { postgres }, databaseUrl: url }: StackRecord, secrets: Secrets) {
  const owner = databaseUrl(OWNER_ROLE, secrets.DATABASE_OWNER_PASSWORD, postgres);
  if (new URL(url).host !== new URL(owner).host) return {};
  return {
    databaseUrl: owner,
    appDatabaseUrl: databaseUrl(APP_ROLE, secrets.DATABASE_APP_PASSWORD, postgres),
  };
}

/** Stops the processes of a killed stack. Some remain only if its watchdog was killed too. */
export async function stopRemains(dataDir: string): Promise<void> {
  const left = Object.values(readRecord(dataDir)?.children ?? {}).filter(isRunning);
  await Promise.all(left.map((one) => stopProcess(one, ["SIGINT", "SIGQUIT", "SIGKILL"], 5_000)));
  removeRecord(dataDir);
}

type Lock = { release(): void };

/**
 * Allows one stack per data directory. The lock is an abstract socket named after the inode. The kernel
 * releases it when the process ends, so no lock is ever stale.
 */
export async function lockDataDir(dataDir: string): Promise<Lock> {
  const { dev, ino } = statSync(dataDir);
  const server = createServer().unref();
  const taken = await new Promise<boolean>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(true) : reject(error),
    );
    server.listen({ path: `\0soundpost-${dev}-${ino}` }, () => resolve(false));
  });
  if (!taken) return { release: () => server.close() };
  const other = readRecord(dataDir);
  if (other && isRunning(other) && !other.for_command)
    throw new Error(
      `A stack is already running on ${dataDir} (pid ${other.pid}, ${other.urls.api}). Stop it, or choose another DATA_DIR.`,
    );
  throw new Held(
    `Another start or command is at work on ${dataDir}. Try again when it has ended, or choose another DATA_DIR.`,
  );
}

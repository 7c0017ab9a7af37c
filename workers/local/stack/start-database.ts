import { migrate } from "../../../db/migrate.ts";
import { adviceOnBackups, holdsOthersBackups } from "../../admin/backup/generations.ts";
import { startNeonProxy } from "../neon-proxy/proxy.ts";
import { archiveSettings } from "../postgres/archive.ts";
import { adviceOn, type PostgresChoice } from "../postgres/installations.ts";
import { REPLICATED, type ReplicaOptions, replicaService } from "../postgres/replica.ts";
import { postgresService } from "../postgres/server.ts";
import type { StackAddresses } from "./record.ts";
import type { Secrets } from "./secrets.ts";
import type { Service } from "./supervisor.ts";

export type DatabaseOptions = {
  dataDir: string;
  addresses: StackAddresses;
  secrets: Secrets;
  log: (line: string) => void;
  /** Whether it lives in the data directory. */
  embedsDatabase: boolean;
  choice: PostgresChoice;
  /** The directory that the log is archived in. */
  backupDir: string | undefined;
  /** Its port, and the next for its proxy. */
  replica: ReplicaOptions | undefined;
};

/** Starts a service and keeps it running. */
type Keep = (name: string, service: Service) => Promise<unknown>;

/** Starts the database, unless it is the operator's, migrates it, and opens the Worker's way to it. */
export async function startDatabase(
  options: DatabaseOptions,
  keep: Keep,
  stops: (() => unknown)[],
): Promise<void> {
  const { addresses, secrets, log } = options;
  if (options.embedsDatabase) {
    if (options.replica) await startReplicated(options, options.replica, keep, stops);
    else await startAlone(options, keep);
    log("PostgreSQL is up");
  }
  const url = addresses.databaseUrl;
  await migrate({ url, log, refuseNewer: true });
  const proxy = { port: addresses.ports.proxy, secret: secrets.TRANSCODER_SECRET, databaseUrl: url };
  stops.push((await startNeonProxy(proxy)).close);
}

/** Archives nothing beside another's log: of two segments of one name the second fails, and fills its server's disk. */
const serverOptions = ({ dataDir, addresses, secrets, log, choice, backupDir }: DatabaseOptions) => ({
  dataDir,
  port: addresses.ports.postgres,
  passwords: { owner: secrets.DATABASE_OWNER_PASSWORD, app: secrets.DATABASE_APP_PASSWORD },
  log,
  choice,
  settings: backupDir && !holdsOthersBackups(dataDir, backupDir) ? archiveSettings(dataDir, backupDir) : {},
});

async function startAlone(options: DatabaseOptions, keep: Keep): Promise<void> {
  const service = await postgresService(serverOptions(options));
  await keep("postgres", service);
  const { choice, dataDir, backupDir } = options;
  const onBackups = backupDir ? adviceOnBackups(dataDir, backupDir) : [];
  for (const line of [...adviceOn(service.installation, choice), ...onBackups]) options.log(line);
}

async function startReplicated(
  options: DatabaseOptions,
  replica: ReplicaOptions,
  keep: Keep,
  stops: (() => unknown)[],
): Promise<void> {
  const server = serverOptions(options);
  const primary = await postgresService({ ...server, settings: { ...server.settings, ...REPLICATED } });
  const copy = await replicaService(server, replica);
  await keep("postgres", primary);
  await keep("replica", copy);
  const databaseUrl = Object.assign(new URL(options.addresses.databaseUrl), { port: replica.port }).href;
  const secret = options.secrets.TRANSCODER_SECRET;
  stops.push((await startNeonProxy({ port: replica.port + 1, secret, databaseUrl })).close);
}

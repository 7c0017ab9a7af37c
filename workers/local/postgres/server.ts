import { spawn } from "node:child_process";
import { closeSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { newClient } from "../../../db/connection.ts";
import { inheritedFrom } from "../stack/inherited.ts";
import { openLogFile } from "../stack/log-file.ts";
import { commandLineOf, identityOf, stopProcess } from "../stack/processes.ts";
import type { Service } from "../stack/supervisor.ts";
import { serverAccount } from "./account.ts";
import {
  APP_ROLE,
  type Cluster,
  createCluster,
  databaseUrl,
  OWNER_ROLE,
  type RolePasswords,
  setUpRoles,
} from "./cluster.ts";
import { type Installation, installationFor, type PostgresChoice } from "./installations.ts";
import { databaseDir } from "./location.ts";

const START_PATIENCE_MS = 60_000;
const STALE_PATIENCE_MS = 10_000;

/** Sized for a small machine. `fsync` and `synchronous_commit` stay on: acknowledged writes are durable. */
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "100",
  shared_buffers: "128MB",
  // Statements take milliseconds. Compiling them would take longer than running them.
  jit: "off",
  // Backups copy a running server's files, and the log that is written meanwhile.
  wal_level: "replica",
  max_wal_senders: "0",
  max_wal_size: "512MB",
  timezone: "UTC",
  log_timezone: "UTC",
  // Logged statements would carry their parameters: addresses, hashes, tokens.
  log_min_error_statement: "panic",
  log_parameter_max_length_on_error: "0",
};

export type PostgresOptions = {
  dataDir: string;
  port: number;
  passwords: RolePasswords;
  log: (line: string) => void;
  choice?: PostgresChoice;
  /** Overrides of ours. */
  settings?: Record<string, string>;
};

/** Runs the server of a data directory and creates its database and roles if missing. */
export async function postgresService(
  options: PostgresOptions,
): Promise<Service & { installation: Installation }> {
  const { dataDir, log, choice = {} } = options;
  const account = serverAccount(join(dataDir, "postgres"));
  const directory = databaseDir(dataDir, account);
  const installation = installationFor(directory, account, choice);
  if (!directory.startsWith(dataDir)) log(`The database lives in ${directory}, where Postgres may reach it`);
  const cluster = { programs: installation.programs, directory, account };
  return { ...(await clusterService(cluster, options)), installation };
}

/** Runs the server of one cluster, which is made if it is missing. */
export async function clusterService(
  cluster: Cluster,
  { dataDir, port, passwords, settings: overrides }: Omit<PostgresOptions, "choice">,
): Promise<Service> {
  const { programs, directory, account } = cluster;
  await stopStale(directory);
  createCluster(cluster, passwords);
  setUpRoles(cluster);

  const settings = Object.entries({ ...SETTINGS, ...overrides }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const start: Service["start"] = async (spawned) => {
    await stopStale(directory);
    const { file: output, close: stopRotating } = openLogFile(join(dataDir, "logs/postgres.log"));
    // Starts a process group of its own: Ctrl-C reaches only the stack, which stops Postgres last.
    const server = spawn(join(programs, "postgres"), ["-D", directory, "-p", String(port), ...settings], {
      ...account,
      cwd: "/",
      env: inheritedFrom(process.env),
      stdio: ["ignore", output, output],
      detached: true,
    });
    closeSync(output);
    spawned(server);
    let ended = false;
    const end = () => {
      ended = true;
      stopRotating();
    };
    server.once("exit", end).once("error", end);
    const owner = {
      url: databaseUrl(OWNER_ROLE, passwords.owner, port),
      secret: "DATABASE_OWNER_PASSWORD",
    };
    for (const deadline = Date.now() + START_PATIENCE_MS; !(await answers(owner)); await sleep(25)) {
      if (ended) throw new Error(`PostgreSQL did not start; see ${dataDir}/logs/postgres.log`);
      if (Date.now() > deadline) {
        server.kill("SIGQUIT");
        throw new Error("PostgreSQL takes too long to start");
      }
    }
    // The service would start and then answer every request with 500.
    await answers({ url: databaseUrl(APP_ROLE, passwords.app, port), secret: "DATABASE_APP_PASSWORD" });
    return server;
  };
  return { name: "PostgreSQL", start, stopSignal: "SIGINT" };
}

/** Waiting cannot correct a refused password. */
async function answers({ url, secret }: { url: string; secret: string }): Promise<boolean> {
  const client = newClient({ connectionString: url, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === "28P01") {
      throw new Error(
        `The database does not accept ${secret} of DATA_DIR/secrets.json: they belong to different data. Put back the file that belongs to it.`,
      );
    }
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** A server that outlived its stack still owns the data. Two servers would corrupt it. */
async function stopStale(directory: string): Promise<void> {
  const pidFile = join(directory, "postmaster.pid");
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, "utf8").split("\n")[0]);
  const stale = identityOf(pid);
  if (stale && commandLineOf(pid).includes(directory)) {
    await stopProcess(stale, ["SIGINT", "SIGQUIT", "SIGKILL"], STALE_PATIENCE_MS);
  }
  // Another process has the pid now. Postgres would refuse to start because of the stale file.
  rmSync(pidFile, { force: true });
}

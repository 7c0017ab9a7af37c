import { execFileSync } from "node:child_process";
import { appendFileSync, chownSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Service } from "../stack/supervisor.ts";
import { DATABASE, OWNER_ROLE } from "./cluster.ts";
import { type PostgresOptions, postgresService } from "./server.ts";

/** Settings of a server that others copy. A replica may have no fewer senders than `initdb` has noted: ten. */
export const REPLICATED = { max_wal_senders: "10", wal_keep_size: "1GB" };

export interface ReplicaOptions {
  port: number;
  /** Keeps the replica so many seconds behind, as under load. */
  delayS: number;
}

/**
 * Makes a streaming replica of a server that has not started yet. It copies the files: the package has no
 * `pg_basebackup`, and a server at rest needs none.
 */
export async function replicaService(
  primary: PostgresOptions,
  { port, delayS }: ReplicaOptions,
): Promise<Service> {
  const dataDir = join(primary.dataDir, "replica");
  mkdirSync(join(dataDir, "logs"), { recursive: true, mode: 0o755 });
  execFileSync("cp", ["-a", join(primary.dataDir, "postgres"), dataDir]);
  const directory = join(dataDir, "postgres");
  const signal = join(directory, "standby.signal");
  writeFileSync(signal, "");
  const { uid, gid } = statSync(directory);
  chownSync(signal, uid, gid);
  const source = `host=127.0.0.1 port=${primary.port} user=${OWNER_ROLE} password=${primary.passwords.owner} dbname=${DATABASE}`;
  // Everybody on the machine can read a program's arguments, but only the server can read this file.
  appendFileSync(join(directory, "postgresql.auto.conf"), `primary_conninfo = '${source}'\n`);
  const settings = { ...REPLICATED, recovery_min_apply_delay: `${delayS}s` };
  return {
    ...(await postgresService({ ...primary, dataDir, port, settings })),
    name: "PostgreSQL's replica",
  };
}

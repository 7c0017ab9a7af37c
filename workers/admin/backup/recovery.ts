import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { serverAccount } from "../../local/postgres/account.ts";
import { archiveIn } from "../../local/postgres/archive.ts";
import { databaseUrl, OWNER_ROLE } from "../../local/postgres/cluster.ts";
import { databaseDir } from "../../local/postgres/location.ts";
import { postgresService } from "../../local/postgres/server.ts";
import { connect } from "../../local/stack/own-database.ts";
import { freePorts } from "../../local/stack/ports.ts";
import { identityOf, type ProcessIdentity, stopProcess } from "../../local/stack/processes.ts";
import { keepSecrets } from "../../local/stack/secrets.ts";
import { givenSettings } from "../../local/stack/settings.ts";
import { openWatchdog, watchChild } from "../../local/stack/watchdog.ts";
import { UsageError } from "../arguments.ts";

/** Inside the cluster, where PostgreSQL's user may read it. */
const RESTORED_LOG = "restored_wal";
const SETTINGS = "postgresql.auto.conf";
const LOOK_EACH_MS = 100;
const STOP_MS = 60_000;

/** A segment of the log, or the history of a timeline, in the archive. */
const ARCHIVED = /^[0-9A-F]{8}(?:[0-9A-F]{16}|\.history)(?=\.gz$)/;

export const hasArchive = (backup: string): boolean => existsSync(archiveIn(backup));

/**
 * Runs the log of the archive over a restored cluster: up to a time, or to the end of the copy. PostgreSQL then begins a timeline
 * of its own, so that the archive never holds two logs under one name.
 */
export async function recover(backup: string, dataDir: string, until: Date | undefined): Promise<void> {
  const account = serverAccount(join(dataDir, "postgres"));
  const cluster = databaseDir(dataDir, account);
  const own = (path: string) => account && chownSync(path, account.uid, account.gid);
  const settings = join(cluster, SETTINGS);
  const before = readFileSync(settings, "utf8");
  mkdirSync(join(cluster, RESTORED_LOG), { mode: 0o700 });
  own(join(cluster, RESTORED_LOG));
  for (const name of readdirSync(archiveIn(backup)).filter((one) => ARCHIVED.test(one))) {
    const copy = join(cluster, RESTORED_LOG, name);
    copyFileSync(join(archiveIn(backup), name), copy);
    own(copy);
  }
  const target = until
    ? `recovery_target_time = '${until.toISOString().replace("T", " ").replace("Z", "+00")}'`
    : "recovery_target = 'immediate'";
  const command = `restore_command = 'gzip -dc ${RESTORED_LOG}/%f.gz > %p'`;
  writeFileSync(settings, `${before}${command}\n${target}\nrecovery_target_action = 'promote'\n`);
  writeFileSync(join(cluster, "recovery.signal"), "");
  for (const file of [SETTINGS, "recovery.signal"]) own(join(cluster, file));
  await promoted(dataDir);
  rmSync(join(cluster, RESTORED_LOG), { recursive: true });
  writeFileSync(settings, before);
  own(settings);
}

/** Runs the server until it has read the log and takes writes. */
async function promoted(dataDir: string): Promise<void> {
  const secrets = await keepSecrets(dataDir);
  const port = await freePorts(1);
  const passwords = { owner: secrets.DATABASE_OWNER_PASSWORD, app: secrets.DATABASE_APP_PASSWORD };
  const url = databaseUrl(OWNER_ROLE, passwords.owner, port);
  const choice = { named: givenSettings().POSTGRES_BIN };
  const service = await postgresService({ dataDir, port, passwords, choice, log: () => {} });
  const watchdog = openWatchdog(`soundpost-watchdog ${dataDir}`);
  let identity: ProcessIdentity | undefined;
  try {
    const server = await service
      .start((spawned) => watchChild(watchdog, spawned, service.stopSignal))
      .catch(() => unreached(dataDir));
    identity = identityOf(server.pid ?? 0);
    while (await isRecovering(url)) {
      if (server.exitCode !== null || server.signalCode !== null) unreached(dataDir);
      await sleep(LOOK_EACH_MS);
    }
  } finally {
    if (identity) await stopProcess(identity, ["SIGINT", "SIGQUIT"], STOP_MS);
    watchdog.close();
  }
}

function unreached(dataDir: string): never {
  const said = readFileSync(join(dataDir, "logs/postgres.log"), "utf8")
    .match(/FATAL: .*/g)
    ?.at(-1);
  throw new UsageError(
    `The archived log does not lead to that time, so nothing was restored: ${said ?? "PostgreSQL ended"}`,
  );
}

/** True, too, while the server refuses connections: at the end of its log it may end itself. */
async function isRecovering(url: string): Promise<boolean> {
  const client = await connect(url).catch(() => undefined);
  if (!client) return true;
  try {
    return (await client.query("SELECT pg_is_in_recovery() AS yes")).rows[0].yes;
  } catch {
    return true;
  } finally {
    await client.end().catch(() => {});
  }
}

import { join } from "node:path";
import { serverAccount } from "../../local/postgres/account.ts";
import { type Cluster, databaseUrl, OWNER_ROLE } from "../../local/postgres/cluster.ts";
import { databaseDir } from "../../local/postgres/location.ts";
import { clusterService } from "../../local/postgres/server.ts";
import { freePorts } from "../../local/stack/ports.ts";
import { lockDataDir, stopRemains } from "../../local/stack/record.ts";
import { keepSecrets } from "../../local/stack/secrets.ts";
import { supervise } from "../../local/stack/supervisor.ts";
import { openWatchdog } from "../../local/stack/watchdog.ts";
import { UsageError } from "../arguments.ts";

export const log = (line: string) => void process.stderr.write(`${line}\n`);

/** Runs work beside a stopped stack, which stays stopped meanwhile. A killed one may have left its database running. */
export async function whileStopped<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  const lock = await lockDataDir(dataDir).catch((error: Error) => {
    throw new UsageError(error.message);
  });
  try {
    await stopRemains(dataDir);
    return await work();
  } finally {
    lock.release();
  }
}

/** Returns where the database of a data directory is, and whose. */
export function locate(dataDir: string): Omit<Cluster, "programs"> {
  const account = serverAccount(join(dataDir, "postgres"));
  return { account, directory: databaseDir(dataDir, account) };
}

/** Runs a cluster for one command, and ends with it however that ends. */
export async function runCluster(
  dataDir: string,
  cluster: Cluster,
): Promise<{ url: string; stop(): Promise<void> }> {
  const { DATABASE_OWNER_PASSWORD: owner, DATABASE_APP_PASSWORD: app } = await keepSecrets(dataDir);
  const port = await freePorts(1);
  const watchdog = openWatchdog(`soundpost-watchdog ${dataDir}`);
  const start = async () => {
    const service = await clusterService(cluster, { dataDir, port, passwords: { owner, app }, log });
    return supervise(service, { watchdog, log, changed: () => {} });
  };
  const running = await start().catch((error: unknown) => {
    // Its program would keep this one from its end.
    watchdog.close();
    throw error;
  });
  return {
    url: databaseUrl(OWNER_ROLE, owner, port),
    async stop() {
      await running.stop();
      watchdog.close();
    },
  };
}

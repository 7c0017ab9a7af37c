import { existsSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { installationFor } from "../../local/postgres/installations.ts";
import { connect } from "../../local/stack/own-database.ts";
import { readRunningStack } from "../../local/stack/record.ts";
import { readSettings, type Settings } from "../../local/stack/settings.ts";
import { type Invocation, UsageError } from "../arguments.ts";
import { exportDatabase } from "./export.ts";
import { locate, runCluster, whileStopped } from "./run-cluster.ts";
import { upgradeDatabase } from "./upgrade.ts";

/** Commands on the whole database of a server of one's own. */
export const databaseCommands: Record<string, (given: Invocation) => Promise<Record<string, unknown>>> = {
  async "export-database"(given) {
    refuseEnvironment(given, "its provider's pg_dump writes it");
    const to = resolve(given.required("to"));
    if (existsSync(to)) throw new UsageError(`${to} is there already: name a new file`);
    return { exported: to, ...(await withDatabase(readSettings(), (url) => exportTo(to, url))) };
  },

  async "upgrade-database"(given) {
    refuseEnvironment(given, "its provider upgrades it");
    const settings = readSettings();
    const { dataDir, database } = settings;
    if (database) throw new UsageError("DATABASE_URL names a database of yours: upgrade its server there");
    if (await readRunningStack(dataDir)) throw new UsageError("The service runs: stop it first");
    requireData(dataDir);
    const from = given.option("from");
    const choice = choiceOf(settings);
    return whileStopped(dataDir, () => upgradeDatabase({ dataDir, choice, from: from && resolve(from) }));
  },
};

const choiceOf = ({ postgresBin, server }: Settings) => ({ named: postgresBin, isPublic: server.isPublic });

function requireData(dataDir: string): void {
  if (!existsSync(resolve(dataDir, "secrets.json"))) throw new UsageError(`No stack has run on ${dataDir}`);
}

function refuseEnvironment(given: Invocation, otherwise: string): void {
  if (given.option("env") !== undefined)
    throw new UsageError(`A deployment's database is not this machine's: ${otherwise}`);
}

/** Runs work on the operator's database, the running stack's, or that of a stopped one. */
async function withDatabase<Result>(
  settings: Settings,
  work: (ownerUrl: string) => Promise<Result>,
): Promise<Result> {
  const { dataDir, database } = settings;
  if (database) return work(database.ownerUrl);
  requireData(dataDir);
  const running = await readRunningStack(dataDir);
  if (running) return work(running.databaseUrl);
  return whileStopped(dataDir, async () => {
    const { directory, account } = locate(dataDir);
    const { programs } = installationFor(directory, account, choiceOf(settings));
    const { url, stop } = await runCluster(dataDir, { programs, directory, account });
    return work(url).finally(stop);
  });
}

/** The file appears whole or never. Only its owner may read it: it holds addresses and hashes of passwords. */
async function exportTo(to: string, url: string) {
  const draft = `${to}.draft`;
  const file = await open(draft, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
    throw new UsageError(
      `${draft} is there: another export writes it, or left it when it was interrupted. Remove it then`,
    );
  });
  try {
    const client = await connect(url);
    const counts = await exportDatabase(client, (chunk) => file.appendFile(chunk)).finally(() =>
      client.end(),
    );
    await file.sync();
    renameSync(draft, to);
    return counts;
  } finally {
    await file.close();
    rmSync(draft, { force: true });
  }
}

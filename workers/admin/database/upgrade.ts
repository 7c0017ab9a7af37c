import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type pg from "pg";
import {
  type Installation,
  installationOf,
  majorOf,
  namedInstallation,
  type PostgresChoice,
  preferredInstallation,
} from "../../local/postgres/installations.ts";
import { placesOf, swap } from "../../local/postgres/upgrade-places.ts";
import { connect } from "../../local/stack/own-database.ts";
import { UsageError } from "../arguments.ts";
import { flush } from "../backup/copying.ts";
import { describeDatabase } from "./description.ts";
import { analyze, LOADING } from "./export.ts";
import { copyRows, type Digest, digestOf, inSnapshot } from "./rows.ts";
import { locate, log, runCluster } from "./run-cluster.ts";
import { passTransactionIds, transactionIdOf } from "./transaction-ids.ts";

type Asked = {
  dataDir: string;
  choice: PostgresChoice;
  /** The directory of the present version's programs, if they are not found. */
  from: string | undefined;
};

/**
 * Moves the database to another major version, newer or older: copies it into a new one beside it, compares each row, and swaps
 * the two. Killed at any moment, it leaves one of them in place.
 */
export async function upgradeDatabase({ dataDir, choice, from }: Asked): Promise<Record<string, unknown>> {
  const startedAt = Date.now();
  const { directory, account } = locate(dataDir);
  const made = majorOf(directory);
  if (made === undefined) throw new UsageError(`There is no database in ${dataDir}`);
  const target = preferredInstallation(account, choice);
  if (target.major === made)
    throw new UsageError(
      `The database is PostgreSQL ${made} already, which the settings choose (${target.programs})`,
    );
  const old = presentPrograms(made, from, account);
  const { draft, ready, former } = placesOf(directory);
  if (existsSync(former(made)))
    throw new UsageError(`${former(made)} is the database of before an earlier move: remove it first`);
  const copied = await copyCluster(dataDir, { old, target, directory, account, draft });
  flush(draft);
  renameSync(draft, ready);
  log("The new one is whole");
  swap(directory, made);
  flush(dirname(directory));
  return {
    moved: directory,
    from: old.version,
    to: target.version,
    ...copied,
    kept: former(made),
    seconds: (Date.now() - startedAt) / 1000,
  };
}

function presentPrograms(made: number, from: string | undefined, account: Account): Installation {
  if (!from) {
    const found = installationOf(made, account);
    if (found) return found;
    throw new UsageError(
      `The database was made by PostgreSQL ${made}, whose programs are not found: name their directory by --from`,
    );
  }
  const named = namedInstallation(from);
  if (named.major === made) return named;
  throw new UsageError(`The database was made by PostgreSQL ${made}, and --from names ${named.version}`);
}

type Account = ReturnType<typeof locate>["account"];
type Places = {
  old: Installation;
  target: Installation;
  directory: string;
  account: Account;
  draft: string;
};

/** Fills the draft, or removes it. */
async function copyCluster(dataDir: string, { old, target, directory, account, draft }: Places) {
  const stops: (() => Promise<void>)[] = [];
  const run = async (programs: string, at: string) => {
    const { url, stop } = await runCluster(dataDir, { programs, directory: at, account });
    stops.push(stop);
    const client = await connect(url);
    stops.push(() => client.end());
    return client;
  };
  const stopAll = async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  try {
    log(`Copying PostgreSQL ${old.version} to ${target.version}`);
    const copied = await copyDatabase(await run(old.programs, directory), await run(target.programs, draft));
    await stopAll();
    return copied;
  } catch (error) {
    await stopAll();
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

/** Copies everything from one moment of a database, and reads it back. */
const copyDatabase = (from: pg.Client, to: pg.Client): Promise<{ tables: number; rows: number }> =>
  inSnapshot(from, async () => {
    const { before, tables, after } = await describeDatabase(from);
    for (const statement of [LOADING, ...before]) await to.query(statement);
    const digests = new Map<string, Digest>();
    for (const table of tables) digests.set(table.name, await copyRows(from, to, table));
    const ends = [passTransactionIds(await transactionIdOf(from)), analyze(tables)];
    for (const statement of [...after, ...ends]) await to.query(statement);
    log("Comparing each row");
    await inSnapshot(to, async () => {
      for (const table of tables)
        if ((await digestOf(to, table)).sha256 !== digests.get(table.name)?.sha256)
          throw new Error(`${table.name} was not copied whole: nothing was moved`);
    });
    const rows = [...digests.values()].reduce((sum, digest) => sum + digest.rows, 0);
    return { tables: tables.length, rows };
  });

import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { RESTORING } from "../../local/stack/data-dir.ts";
import { readRunningStack } from "../../local/stack/record.ts";
import { dataDirOf, readSettings } from "../../local/stack/settings.ts";
import { type Invocation, UsageError } from "../arguments.ts";
import { makeBackup } from "./backup.ts";
import { serverOf } from "./cluster.ts";
import { damagedFiles, generationPath, generationsIn } from "./generations.ts";
import { copyAgain } from "./objects.ts";
import { restore } from "./restore.ts";

const DEFAULT_KEEP = 7;

/** Commands on the files of a local stack. Deployed databases and buckets have their own backups. */
export const fileCommands: Record<string, (given: Invocation) => Promise<Record<string, unknown>>> = {
  async backup(given) {
    refuseEnvironment(given);
    const [dataDir, to] = [dataDirOf(), resolve(given.required("to"))];
    refuseOwnParts();
    if (!existsSync(join(dataDir, "secrets.json"))) throw new UsageError(`No stack has run on ${dataDir}`);
    if (existsSync(join(dataDir, RESTORING)))
      throw new UsageError(`${dataDir} holds half of a backup, because its restore was interrupted`);
    const keep = Number(given.option("keep") ?? DEFAULT_KEEP);
    if (!Number.isInteger(keep) || keep < 1)
      throw new UsageError("--keep must be a number of backups, at least 1");
    if (existsSync(to) && readdirSync(to).length > 0 && !existsSync(join(to, "backups")))
      throw new UsageError(`--to is ${to}, which is not empty and holds no backups: name a new directory`);
    refuseOtherServer(dataDir, to);
    const running = await readRunningStack(dataDir);
    const made = await makeBackup({ dataDir, to, keep, running });
    if (!given.flag("verify")) return made;
    const name = String(made.name);
    await copyAgain(join(dataDir, "objects"), to, await damagedFiles(to, name));
    return { ...made, ...(await verified(to, name)) };
  },

  async restore(given) {
    refuseEnvironment(given);
    const from = resolve(given.required("from"));
    const names = generationsIn(from);
    const name = given.option("at") ?? names.at(-1);
    if (!name) throw new UsageError(`${from} holds no backup`);
    if (!names.includes(name))
      throw new UsageError(`There is no backup ${name}. There are: ${names.join(" ")}`);
    if (given.flag("verify")) return { backup: from, name, ...(await verified(from, name)) };
    const dataDir = dataDirOf();
    const isHalf = existsSync(join(dataDir, RESTORING));
    if (existsSync(dataDir) && readdirSync(dataDir).length > 0 && !isHalf)
      throw new UsageError(`DATA_DIR is ${dataDir}, which is not empty: name a new directory`);
    return restore(from, name, dataDir);
  },
};

async function verified(backup: string, name: string): Promise<{ verified: true }> {
  const damaged = await damagedFiles(backup, name);
  if (damaged.length) throw new UsageError(`Backup ${name} is damaged: ${damaged.slice(0, 5).join(", ")}`);
  return { verified: true };
}

function refuseEnvironment(given: Invocation): void {
  if (given.option("env") !== undefined)
    throw new UsageError(
      "Backups of this kind are of a local stack: a deployment's database and buckets have their own",
    );
}

/** Two servers in one directory would remove each other's backups. */
function refuseOtherServer(dataDir: string, to: string): void {
  const newest = generationsIn(to).at(-1);
  const saved = newest && serverOf(generationPath(to, newest));
  if (saved && saved !== serverOf(dataDir))
    throw new UsageError(`${to} holds backups of another server: name a directory of this server's own`);
}

/** Half a copy would be worse than none, because nobody would notice. */
function refuseOwnParts(): void {
  const { database, storage } = readSettings();
  const own = [
    database && "DATABASE_URL (pg_dump, or its provider)",
    storage && "S3_ENDPOINT (versions, or a copy)",
  ];
  const named = own.filter((one) => one !== undefined);
  if (named.length)
    throw new UsageError(
      `What lies at ${named.join(" and ")} is backed up there, the database before the objects. Keep DATA_DIR/secrets.json, too.`,
    );
}

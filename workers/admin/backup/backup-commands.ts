import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { archiveIn } from "../../local/postgres/archive.ts";
import { RESTORING } from "../../local/stack/data-dir.ts";
import { readRunningStack } from "../../local/stack/record.ts";
import { dataDirOf, givenSettings, readSettings } from "../../local/stack/settings.ts";
import { type Invocation, UsageError } from "../arguments.ts";
import { makeBackup } from "./backup.ts";
import { damagedFiles, generationsIn, holdsOthersBackups, readManifest } from "./generations.ts";
import { copyAgain } from "./objects.ts";
import { hasArchive } from "./recovery.ts";
import { restore } from "./restore.ts";

const DEFAULT_KEEP = 7;

/** Commands on the files of a local stack. Deployed databases and buckets have their own backups. */
export const fileCommands: Record<string, (given: Invocation) => Promise<Record<string, unknown>>> = {
  async backup(given) {
    refuseEnvironment(given);
    const [dataDir, to] = [dataDirOf(), resolve(directoryOf(given, "to"))];
    refuseOwnParts();
    if (!existsSync(join(dataDir, "secrets.json"))) throw new UsageError(`No stack has run on ${dataDir}`);
    if (existsSync(join(dataDir, RESTORING)))
      throw new UsageError(`${dataDir} holds half of a backup, because its restore was interrupted`);
    const keep = Number(given.option("keep") ?? DEFAULT_KEEP);
    if (!Number.isInteger(keep) || keep < 1)
      throw new UsageError("--keep must be a number of backups, at least 1");
    // A server archives its log there before its first backup. A new disk has `lost+found`.
    const isForeign = (name: string) => join(to, name) !== archiveIn(to) && name !== "lost+found";
    if (existsSync(to) && readdirSync(to).some(isForeign) && !existsSync(join(to, "backups")))
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
    const from = resolve(directoryOf(given, "from"));
    const names = generationsIn(from);
    const until = untilOf(given, from);
    const chosen = until && aroundTime(from, names, until);
    const name = chosen?.name ?? given.option("at") ?? names.at(-1);
    if (!name) throw new UsageError(`${from} holds no backup`);
    if (!names.includes(name))
      throw new UsageError(`There is no backup ${name}. There are: ${names.join(" ")}`);
    if (given.flag("verify")) return { backup: from, name, ...(await verified(from, name)) };
    const dataDir = dataDirOf();
    const isHalf = existsSync(join(dataDir, RESTORING));
    if (existsSync(dataDir) && readdirSync(dataDir).length > 0 && !isHalf)
      throw new UsageError(`DATA_DIR is ${dataDir}, which is not empty: name a new directory`);
    return restore({ from, name, ...chosen, ...(until && { until }) }, dataDir);
  },
};

/** The directory that the command names, or else the settings. */
const directoryOf = (given: Invocation, option: "to" | "from"): string =>
  given.option(option) ?? givenSettings().BACKUP_DIR ?? given.required(option);

function untilOf(given: Invocation, from: string): Date | undefined {
  const text = given.option("until");
  if (text === undefined) return undefined;
  // A time without a zone would be in this machine's own.
  const until = new Date(/(?:z|[+-]\d\d:\d\d)$/i.test(text) ? text : Number.NaN);
  if (Number.isNaN(until.getTime()))
    throw new UsageError("--until must be a time with its zone, such as 2026-11-28T20:15:00Z");
  if (given.option("at") !== undefined)
    throw new UsageError("--until chooses the backup, so it takes no --at");
  if (!hasArchive(from))
    throw new UsageError(`${from} holds no archived log: set BACKUP_DIR, so that one is kept`);
  return until;
}

/** The last backup before a time, and the one after it, whose objects are all that were there at that time. */
function aroundTime(from: string, names: string[], until: Date) {
  const madeAt = (name: string) => Date.parse(readManifest(from, name).made_at);
  const name = names.findLast((one) => madeAt(one) <= until.getTime());
  if (!name) throw new UsageError(`There is no backup from before ${until.toISOString()}`);
  return { name, objectsOf: names.find((one) => madeAt(one) > until.getTime()) ?? name };
}

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
  if (holdsOthersBackups(dataDir, to))
    throw new UsageError(
      `${to} holds backups of another server, or of this one's database before it moved: name a new directory, in BACKUP_DIR or by --to`,
    );
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

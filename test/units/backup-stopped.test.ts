import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readArguments } from "../../workers/admin/arguments.ts";
import { makeBackup } from "../../workers/admin/backup/backup.ts";
import { fileCommands } from "../../workers/admin/backup/backup-commands.ts";
import { copyFile } from "../../workers/admin/backup/copying.ts";
import {
  damagedFiles,
  forgetLog,
  generationPath,
  generationsIn,
} from "../../workers/admin/backup/generations.ts";
import { blobPath, copyObjects } from "../../workers/admin/backup/objects.ts";
import { restore } from "../../workers/admin/backup/restore.ts";
import { explained } from "../../workers/admin/failures.ts";
import { CATALOG, openCatalog } from "../../workers/local/object-store/catalog.ts";
import { identityOf, isRunning } from "../../workers/local/stack/processes.ts";
import { addressesFor, lockDataDir, writeRecord } from "../../workers/local/stack/record.ts";
import { keepSecrets } from "../../workers/local/stack/secrets.ts";

let root: string;
let dataDir: string;

/** The directory of a stack that was never used. */
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "soundpost-stopped-"));
  dataDir = join(root, "data");
  mkdirSync(dataDir);
  await keepSecrets(dataDir);
  for (const folder of ["postgres", "objects"]) mkdirSync(join(dataDir, folder));
  writeFileSync(join(dataDir, "postgres/PG_VERSION"), "18\n");
  openCatalog(join(dataDir, "objects")).close();
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
});

const backUp = (keep = 1) => makeBackup({ dataDir, to: join(root, "backup"), keep, running: undefined });

test("a server without any object can be backed up", async () => {
  for (let times = 0; times < 2; times++) expect(await backUp()).toMatchObject({ kept: 1, objects: 0 });
});

test("a new disk takes backups although it has a directory of its file system's; one with files of others does not", async () => {
  vi.stubEnv("DATA_DIR", dataDir);
  const disk = join(root, "disk");
  const backUpTo = () => fileCommands.backup?.(readArguments(["backup", "--to", disk]));
  mkdirSync(join(disk, "lost+found"), { recursive: true });
  writeFileSync(join(disk, "letter"), "");
  await expect(backUpTo()).rejects.toThrow("not empty and holds no backups");
  rmSync(join(disk, "letter"));
  expect(await backUpTo()).toMatchObject({ kept: 1 });
});

/** Replaces all objects of the server by one, whose file is called so. */
function storeOnly(file: string): void {
  const catalog = new DatabaseSync(join(dataDir, "objects", CATALOG));
  catalog.exec(`DELETE FROM objects; INSERT INTO objects VALUES (1, 'media', '${file}', 1, '', '', 0)`);
  catalog.exec(`INSERT OR REPLACE INTO pieces VALUES (1, 0, 0, '${file}')`);
  catalog.close();
  const path = join(dataDir, "objects", blobPath(file));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "x");
}

test("a kept backup keeps the objects that a newer one lacks, and they go with it", async () => {
  const backup = join(root, "backup");
  const copied = (file: string) => existsSync(join(backup, blobPath(file)));
  storeOnly("aa1");
  const { name: older } = await backUp(2);
  storeOnly("bb2");
  const { name: newer } = await backUp(2);
  for (const name of [older, newer]) expect(await damagedFiles(backup, String(name))).toEqual([]);
  await backUp(2);
  expect([copied("aa1"), copied("bb2")]).toEqual([false, true]);
});

test("no backup is made without the file of an object", async () => {
  storeOnly("aa1");
  rmSync(join(dataDir, "objects", blobPath("aa1")));
  await expect(backUp()).rejects.toThrow("Files change faster than they are copied");
  expect(generationsIn(join(root, "backup"))).toEqual([]);
});

test("a backup stops what a killed stack left running before it copies its files", async () => {
  const left = spawn("sleep", ["60"]);
  const postgres = identityOf(left.pid ?? 0) ?? expect.fail("It does not run");
  const addresses = addressesFor(1, 4, await keepSecrets(dataDir));
  const killed = { pid: 1, startTicks: "", started_at: "" };
  writeRecord(dataDir, { ...killed, ...addresses, children: { postgres } });
  await backUp();
  expect(isRunning(postgres)).toBe(false);
});

test("a backup of a stopped server waits for no command, and lets the next one in", async () => {
  const other = await lockDataDir(dataDir);
  await expect(backUp()).rejects.toThrow("Another start or command is at work");
  other.release();
  await backUp();
  (await lockDataDir(dataDir)).release();
});

test("the archived log from before the oldest backup goes with it", async () => {
  const backup = join(root, "backup");
  const [oldest, newest] = ["00000001000000000000000A", "00000001000000000000000C"];
  for (const [day, first] of [oldest, newest].entries()) {
    const log = join(generationPath(backup, `2026-11-0${day + 1}`), "postgres/pg_wal");
    mkdirSync(log, { recursive: true });
    writeFileSync(join(log, first), "");
    writeFileSync(join(log, "../../manifest.json"), "{}");
  }
  const archived = [
    "000000010000000000000009.gz",
    `${oldest}.gz`,
    "00000001000000000000000B.gz",
    "00000002.history.gz",
  ];
  mkdirSync(join(backup, "wal"));
  for (const name of archived) writeFileSync(join(backup, "wal", name), "");
  forgetLog(backup);
  expect(readdirSync(join(backup, "wal"))).toEqual(archived.slice(1));
});

test("a backup sends no signal to a program that has the id of an earlier object store", async () => {
  const other = spawn("sleep", ["60"]);
  const ended = { pid: other.pid ?? 0, startTicks: "1" };
  const to = { backup: root, catalog: join(root, "catalog") };
  const copied = copyObjects(join(dataDir, "objects"), to, {}, ended);
  await expect(copied).rejects.toThrow("was started again meanwhile");
  expect(other.signalCode).toBeNull();
  other.kill();
});

test.each([
  ["small", 10],
  ["large", 300_000],
])("a disk that has no room for a %s file is known by the file's name", async (_, bytes) => {
  const [from, to] = [join(root, "from"), join(root, "full")];
  writeFileSync(from, Buffer.alloc(bytes));
  symlinkSync("/dev/full", `${to}.draft`);
  const error = await copyFile(from, to).catch((reason: unknown) => reason);
  expect(explained(error).words).toContain(`${to}.draft cannot be used: the disk is full.`);
});

/** Files beside the database and the objects. */
const OTHER_FILES = ["settings.env", "demo.json", "mail/1.eml", "plays/000000000001.ndjson"];

test("a restored database is where a start looks for it, and on the disk, which may be another than the directory's", async () => {
  for (const path of OTHER_FILES) {
    mkdirSync(dirname(join(dataDir, path)), { recursive: true });
    writeFileSync(join(dataDir, path), path);
  }
  const { name } = await backUp();
  const [log, target, path] = [join(root, "flushed"), join(root, "restored"), process.env.PATH];
  writeFileSync(join(root, "sync"), `#!/bin/sh\necho "$2" >> ${log}\n`, { mode: 0o755 });
  process.env.PATH = `${root}:${path}`;
  try {
    await restore({ from: join(root, "backup"), name: String(name) }, target);
  } finally {
    process.env.PATH = path;
  }
  for (const path of OTHER_FILES) expect(readFileSync(join(target, path), "utf8")).toBe(path);
  // Root's is behind a link, because its account cannot enter the test's directory.
  const cluster = realpathSync(join(target, "postgres"));
  expect(readFileSync(join(cluster, "PG_VERSION"), "utf8")).toBe("18\n");
  expect(readFileSync(log, "utf8").split("\n")).toEqual([cluster, target, ""]);
  if (!cluster.startsWith(root)) rmSync(dirname(cluster), { recursive: true });
});

import { spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeBackup } from "../../workers/admin/backup/backup.ts";
import { copyFile } from "../../workers/admin/backup/copying.ts";
import { copyObjects } from "../../workers/admin/backup/objects.ts";
import { restore } from "../../workers/admin/backup/restore.ts";
import { explained } from "../../workers/admin/failures.ts";
import { openCatalog } from "../../workers/local/object-store/catalog.ts";
import { identityOf, isRunning } from "../../workers/local/stack/processes.ts";
import { addressesFor, writeRecord } from "../../workers/local/stack/record.ts";
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
afterEach(() => rmSync(root, { recursive: true }));

const backUp = () => makeBackup({ dataDir, to: join(root, "backup"), keep: 1, running: undefined });

test("a server without any object can be backed up", async () => {
  for (let times = 0; times < 2; times++) expect(await backUp()).toMatchObject({ kept: 1, objects: 0 });
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

test("a restored database is where a start looks for it, and on the disk, which may be another than the directory's", async () => {
  const { name } = await backUp();
  const [log, target, path] = [join(root, "flushed"), join(root, "restored"), process.env.PATH];
  writeFileSync(join(root, "sync"), `#!/bin/sh\necho "$2" >> ${log}\n`, { mode: 0o755 });
  process.env.PATH = `${root}:${path}`;
  try {
    await restore(join(root, "backup"), String(name), target);
  } finally {
    process.env.PATH = path;
  }
  // Root's is behind a link, because its account cannot enter the test's directory.
  const cluster = realpathSync(join(target, "postgres"));
  expect(readFileSync(join(cluster, "PG_VERSION"), "utf8")).toBe("18\n");
  expect(readFileSync(log, "utf8").split("\n")).toEqual([cluster, target, ""]);
  if (!cluster.startsWith(root)) rmSync(dirname(cluster), { recursive: true });
});

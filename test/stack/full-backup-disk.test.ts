import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { readArguments } from "../../workers/admin/arguments.ts";
import { fileCommands } from "../../workers/admin/backup/backup-commands.ts";
import { backupChecks } from "../../workers/admin/server/backup-checks.ts";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { readRunningStack } from "../../workers/local/stack/record.ts";
import { type Stack, startStack } from "../../workers/local/stack/stack.ts";
import { fillDataDir } from "../support/data-dir.ts";
import { until } from "./npm-start.ts";

const root = mkdtempSync(join(tmpdir(), "soundpost-full-"));
// Postgres runs as another user for root and must be able to enter.
chmodSync(root, 0o711);
const [dataDir, backupDir] = [join(root, "data"), join(root, "backup")];
mkdirSync(backupDir);
/** A disk of its own, which only root can make. A whole backup is larger. */
const disk = spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m,mode=711", "tmpfs", backupDir]);
const hasDisk = disk.status === 0;
if (!hasDisk) console.error("A full disk is left out: only root can mount one");
let stack: Stack | undefined;

afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  await stack?.stop();
  if (hasDisk) spawnSync("umount", [backupDir]);
  rmSync(root, { recursive: true, force: true });
});

async function findings() {
  const found = [];
  const running = await readRunningStack(dataDir);
  for await (const one of backupChecks({ dataDir, backupDir, database: undefined }, running)) found.push(one);
  return found;
}

async function sql(text: string) {
  const client = new pg.Client({ connectionString: stack?.databaseUrl });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Writes more than a segment of the log, which is archived then. */
const fillSegment = () => sql("SELECT pg_logical_emit_message(true, 'fill', repeat('x', 17 << 20))");

const archivedLogs = () => readdirSync(join(backupDir, "wal")).filter((name) => name.endsWith(".gz"));

describe.runIf(hasDisk)("a disk for backups that is full", () => {
  // The archiver waits a minute after three failures.
  test("stops neither the service nor its log, is named by check, and catches up once it has room", {
    timeout: 300_000,
  }, async () => {
    await fillDataDir(dataDir);
    stack = await startStack({
      port: await freePorts(3),
      dataDir,
      backupDir,
      log: () => {},
      crons: false,
      transcoders: 1,
    });
    const filler = join(backupDir, "filler");
    await fillSegment();
    await until("the log is archived", () => archivedLogs().length > 0);
    expect(() => writeFileSync(filler, Buffer.alloc(8 << 20))).toThrow("ENOSPC");
    const before = archivedLogs();
    await fillSegment();
    await until("check names it", async () => (await findings())[0]?.state === "wrong");
    expect((await findings())[0]?.says).toContain("make room there");
    expect(await sql("select 1 as one")).toEqual([{ one: 1 }]);
    // Half a segment would be taken for a whole one.
    expect(archivedLogs()).toEqual(before);
    rmSync(filler);
    await until("the log is archived", async () => (await findings())[0]?.state === "ok", 120_000);
    expect(archivedLogs().length).toBeGreaterThan(before.length);
  });

  test("a backup that finds no room says so, and takes none", async () => {
    vi.stubEnv("DATA_DIR", dataDir);
    await expect(fileCommands.backup?.(readArguments(["--to", backupDir]))).rejects.toThrow("ENOSPC");
    expect(readdirSync(join(backupDir, "backups"))).toEqual([]);
    expect(await sql("select 1 as one")).toEqual([{ one: 1 }]);
  });
});

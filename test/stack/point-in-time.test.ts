import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HeadObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import pg from "pg";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { s3Client } from "../../db/objects/s3-client.ts";
import { readArguments } from "../../workers/admin/arguments.ts";
import { fileCommands } from "../../workers/admin/backup/backup-commands.ts";
import { holdsOthersBackups } from "../../workers/admin/backup/generations.ts";
import { backupChecks } from "../../workers/admin/server/backup-checks.ts";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { type Stack, startStack } from "../../workers/local/stack/stack.ts";
import { MEDIA_BUCKET, UPLOADS_BUCKET } from "../../workers/local/worker/bindings.ts";
import { fillBundle, fillDataDir } from "../support/data-dir.ts";
import { PROJECT_DIR } from "../support/structure.ts";
import { nothingRuns, processesOf, until } from "./npm-start.ts";

const root = mkdtempSync(join(tmpdir(), "soundpost-until-"));
// Postgres runs as another user for root and must be able to enter.
chmodSync(root, 0o711);
const [first, second, backupDir] = ["first", "second", "it's 100% safe"].map((name) => join(root, name)) as [
  string,
  string,
  string,
];
const port = await freePorts(3);
let stack: Stack;

/** Returns what the start said. */
async function start(dataDir: string): Promise<string> {
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  stack = await startStack({ port, dataDir, backupDir, log, crons: false, transcoders: 1 });
  return lines.join("\n");
}

async function sql<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

async function operate(dataDir: string, command: "backup" | "restore", ...args: string[]) {
  vi.stubEnv("DATA_DIR", dataDir);
  vi.stubEnv("BACKUP_DIR", backupDir);
  return fileCommands[command]?.(readArguments(args));
}

const signUp = (name: string) =>
  sql(`insert into users (username, permalink) values ('${name}', '${name}') returning id`);

const people = async () =>
  (await sql<{ permalink: string }>("select permalink from users where permalink like 'p-%' order by 1")).map(
    ({ permalink }) => permalink,
  );

const storage = () =>
  s3Client({
    S3_ENDPOINT: stack.urls.objects,
    S3_ACCESS_KEY_ID: stack.secrets.S3_ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY: stack.secrets.S3_SECRET_ACCESS_KEY,
    S3_UPLOADS_BUCKET: UPLOADS_BUCKET,
    S3_MEDIA_BUCKET: MEDIA_BUCKET,
  });

/** An avatar's version, and its file. */
const VERSION = "a1".repeat(16);
const AVATAR = { Bucket: MEDIA_BUCKET, Key: `images/${VERSION}/large.jpg`, Body: "picture" };

const avatar = async () => (await fetch(`${stack.urls.api}/images/${VERSION}-large.jpg`)).status;

const setAvatar = (version: string | null) =>
  sql(
    `update users set avatar_version = ${version && `'${version}'`} where permalink = 'p-before-the-backup'`,
  );

const clockOf = async () => (await sql<{ at: Date }>("select clock_timestamp() as at"))[0]?.at ?? new Date();

const archiver = async () =>
  (await sql<{ failed: number }>("select failed_count::int as failed from pg_stat_archiver"))[0]?.failed;

afterEach(() => vi.unstubAllEnvs());

afterAll(async () => {
  await stack.stop();
  rmSync(root, { recursive: true, force: true });
});

test("a server goes back to the moment before a mistake, with the files of then", async () => {
  await fillDataDir(first);
  await start(first);
  await signUp("p-before-the-backup");
  await operate(first, "backup");
  await signUp("p-after-the-backup");
  const put = { Bucket: UPLOADS_BUCKET, Key: "in/1/later", Body: "audio" };
  for (const object of [put, AVATAR]) await storage().send(new PutObjectCommand(object));
  await setAvatar(VERSION);
  const good = await clockOf();
  await sql("delete from users where permalink = 'p-after-the-backup'");
  await signUp("p-after-the-mistake");
  await setAvatar(null);
  expect(await avatar()).toBe(404);
  await operate(first, "backup");
  expect(await archiver()).toBe(0);
  await stack.stop();

  const restored = await operate(second, "restore", "--until", good.toISOString());
  expect(restored).toMatchObject({ restored: second, until: good.toISOString() });
  await fillBundle(second);
  expect(await start(second)).not.toContain("BACKUP_DIR");
  expect(await people()).toEqual(["p-after-the-backup", "p-before-the-backup"]);
  const { Bucket, Key } = put;
  await storage().send(new HeadObjectCommand({ Bucket, Key }));
  expect(await avatar()).toBe(200);
});

test("the restored server archives its log beside that of the server before, and is backed up in turn", async () => {
  await signUp("p-on-another-timeline");
  await operate(second, "backup");
  await sql("select 1");
  const segments = () =>
    readdirSync(join(backupDir, "wal")).filter((name) => /^00000002[0-9A-F]{16}\.gz$/.test(name));
  await until("the log of the new timeline is archived", () => segments().length > 0);
  expect(await archiver()).toBe(0);
});

test("a time that the log does not lead to restores nothing, and says why", async () => {
  const target = join(root, "third");
  await expect(operate(target, "restore", "--until", "2099-01-01T00:00:00Z")).rejects.toThrow(
    /does not lead to that time.*recovery target/s,
  );
  expect(existsSync(target) ? readdirSync(target) : []).toEqual([]);
  await expect(operate(target, "restore", "--until", "2001-01-01T00:00:00Z")).rejects.toThrow("from before");
  for (const text of ["yesterday", "2026-11-28T14:04:00"])
    await expect(operate(target, "restore", "--until", text)).rejects.toThrow("a time with its zone");
});

test("a restore that is killed while it replays the log leaves no database running", async () => {
  const target = join(root, "killed");
  const program = join(PROJECT_DIR, "workers/admin/main.ts");
  const restoring = spawn(process.execPath, [program, "restore", "--from", backupDir], {
    env: { ...process.env, DATA_DIR: target },
    stdio: "ignore",
  });
  const ended = once(restoring, "exit");
  const server = () => processesOf(target).find((line) => line.includes("postgres -D"));
  await until("the database runs, or ran", () => server() ?? restoring.exitCode !== null);
  restoring.kill("SIGKILL");
  await ended;
  await nothingRuns(target);
});

test("a server whose directory for backups is another's leaves it alone, and says so and what to do when it starts", async () => {
  await stack.stop();
  const archived = () => readdirSync(join(backupDir, "wal"));
  const before = archived();
  const other = join(root, "other");
  await fillBundle(other);
  const said = `BACKUP_DIR is ${backupDir}, which belongs to another database, such as this one before it moved: nothing of this one is backed up there. Name a new directory in DATA_DIR/settings.env, and restart`;
  expect(await start(other)).toContain(said);
  const checked = backupChecks({ dataDir: other, backupDir, database: undefined }, undefined);
  expect((await checked.next()).value).toEqual({ part: "backup", state: "wrong", says: said });
  // A server that archives does so once more at its end.
  await stack.stop();
  expect(archived()).toEqual(before);
  // The log alone tells it, too, before there is a backup.
  rmSync(join(backupDir, "backups"), { recursive: true });
  expect([first, second, other].map((one) => holdsOthersBackups(one, backupDir))).toEqual([
    false,
    false,
    true,
  ]);
});

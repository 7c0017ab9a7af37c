import { type ChildProcess, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serverAccount } from "../../workers/local/postgres/account.ts";
import { postgresBinaries } from "../../workers/local/postgres/binaries.ts";
import { setUpRoles } from "../../workers/local/postgres/cluster.ts";
import { postgresService } from "../../workers/local/postgres/server.ts";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { readRunningStack } from "../../workers/local/stack/record.ts";
import { keepSecrets } from "../../workers/local/stack/secrets.ts";
import { readSettings } from "../../workers/local/stack/settings.ts";
import { startStack } from "../../workers/local/stack/stack.ts";
import { fillDataDir } from "../support/data-dir.ts";
import { isFull } from "../support/repeats.ts";
import { type NpmStart, nothingRuns, npmStart } from "./npm-start.ts";

const place = mkdtempSync(join(tmpdir(), "soundpost-odd-"));
const started: NpmStart[] = [];
let port: number;

beforeAll(async () => {
  port = await freePorts(3);
});
afterAll(async () => {
  for (const { npm } of started) npm.kill("SIGTERM");
  await Promise.all(started.map(({ dataDir }) => nothingRuns(dataDir)));
  rmSync(place, { recursive: true, force: true });
});

async function start(dataDir: string) {
  const one = npmStart({ port, dataDir });
  started.push(one);
  return { code: await one.ended, output: one.output() };
}

/** Starts in this process. The program prints the message of the same error. */
async function startHere(dataDir: string) {
  try {
    const settings = readSettings({ DATA_DIR: dataDir, PORT: String(port) });
    await readRunningStack(settings.dataDir);
    const stack = await startStack({ ...settings, log: () => {} });
    await stack.stop();
    return { code: 0, output: "" };
  } catch (error) {
    return { code: 1, output: (error as Error).message };
  }
}

/** Expects a short sentence for people without a stack trace. A start of the program costs a second. */
const expectSentence = (dataDir: string, ...parts: string[]) =>
  expectSentenceOf(isFull ? start : startHere, dataDir, ...parts);

async function expectSentenceOf(
  starting: typeof start | typeof startHere,
  dataDir: string,
  ...parts: string[]
): Promise<void> {
  const { code, output } = await starting(dataDir);
  expect(code, output).toBe(1);
  for (const part of parts) expect(output).toContain(part);
  expect(output).not.toMatch(/^\s+at /m);
}

const CHOOSE = "choose another directory: DATA_DIR=";

test("a DATA_DIR that is a file ends the start with a sentence that names it", async () => {
  const path = join(place, "file");
  writeFileSync(path, "");
  await expectSentenceOf(start, path, `${path}, meant for DATA_DIR, is a file`, CHOOSE);
});

test("a DATA_DIR below a file, or where nothing can be created, is named with the reason", async () => {
  await expectSentence(join(place, "file/below"), join(place, "file"), "is a file, not a directory", CHOOSE);
  await expectSentence("/proc/soundpost/data", "/proc/soundpost", CHOOSE);
});

test("a DATA_DIR that cannot be written is named with the reason", async () => {
  // Read-only even for root.
  await expectSentence("/sys/kernel", "/sys/kernel cannot be used: ", CHOOSE);
});

test("a DATA_DIR longer than PostgreSQL accepts is refused, and one of any other length works", async () => {
  const long = join(place, ...Array.from({ length: 20 }, () => "d".repeat(50)));
  await expectSentence(long, "Choose a shorter path");
  await expectSentence(join(place, "n".repeat(300)), "a name in it is too long", CHOOSE);
});

test("a file in the place of one of our directories is named", async () => {
  const dataDir = join(place, "half");
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, "logs"), "");
  await expectSentence(dataDir, `${join(dataDir, "logs")}, meant for a directory of Soundpost's, is a file`);
});

test.for([
  ["is half written", (text: string) => text.slice(0, 40), "holds no JSON object"],
  ["is empty", () => "", "holds no JSON object"],
  ["holds a list", () => "[]", "holds no JSON object"],
  ["holds a number for a secret", () => '{"SIGNING_KEYS":7}', "holds no JSON object"],
  ["holds a key that is none", () => '{"SIGNING_KEYS":"short"}', "SIGNING_KEYS can be no key"],
  ["holds a broken JWT key", () => '{"JWT_KEYS":"{}"}', "JWT_KEYS can be no key"],
] as const)(
  "a secrets.json that %s is named with the remedy, and stays unchanged",
  async ([name, broken, why]) => {
    const dataDir = join(place, name);
    mkdirSync(dataDir);
    await keepSecrets(dataDir);
    const path = join(dataDir, "secrets.json");
    const text = broken(readFileSync(path, "utf8"));
    writeFileSync(path, text);
    await expectSentence(dataDir, path, why, "put back a copy of the file", CHOOSE);
    expect(readFileSync(path, "utf8")).toBe(text);
  },
);

test("a missing secrets.json beside a database is never regenerated", async () => {
  const dataDir = join(place, "lost");
  mkdirSync(dataDir);
  await fillDataDir(dataDir);
  rmSync(join(dataDir, "secrets.json"));
  await expectSentenceOf(
    start,
    dataDir,
    `${join(dataDir, "secrets.json")} is missing`,
    "put back a copy of the file",
  );
});

test.each([
  ["DATABASE_OWNER_PASSWORD", { owner: "another" }],
  ["DATABASE_APP_PASSWORD", { app: "another" }],
])("a %s that the database does not have ends the start", async (name, changed) => {
  const dataDir = join(place, name);
  mkdirSync(join(dataDir, "logs"), { recursive: true });
  chmodSync(place, 0o711);
  await fillDataDir(dataDir);
  const { DATABASE_OWNER_PASSWORD: owner, DATABASE_APP_PASSWORD: app } = await keepSecrets(dataDir);
  const passwords = { owner, app, ...changed };
  const service = await postgresService({ dataDir, port: await freePorts(), passwords, log: () => {} });
  let server: ChildProcess | undefined;
  const starting = service.start((spawned) => {
    server = spawned;
  });
  await expect(starting).rejects.toThrow(`does not accept ${name} of DATA_DIR/secrets.json`);
  server?.kill("SIGQUIT");
});

test("a missing secrets.json beside objects is never regenerated, though the database is elsewhere", async () => {
  const dataDir = join(place, "lost-beside-objects");
  mkdirSync(join(dataDir, "objects"), { recursive: true });
  writeFileSync(join(dataDir, "objects/catalog.sqlite"), "");
  await expectSentence(dataDir, `${join(dataDir, "secrets.json")} is missing`, "put back a copy of the file");
});

test("a set-up of the database that fails half way is made again by the next start", async () => {
  const dataDir = join(place, "half-made");
  mkdirSync(dataDir);
  chmodSync(place, 0o711);
  await fillDataDir(dataDir);
  const directory = join(dataDir, "postgres");
  const account = serverAccount(directory);
  const programs = join(postgresBinaries(account), "bin");
  const mark = join(directory, "soundpost-roles-set-up");
  rmSync(mark);
  const rename = (from: string, to: string) =>
    spawnSync(join(programs, "postgres"), ["--single", "-D", directory, "postgres"], {
      ...account,
      cwd: "/",
      input: `ALTER ROLE ${from} RENAME TO ${to};\n`,
    });
  rename("soundpost_owner", "renamed");
  const grant = () => setUpRoles({ programs, directory, account });
  expect(grant).toThrow('role "soundpost_owner" does not exist');
  expect(existsSync(mark)).toBe(false);
  rename("renamed", "soundpost_owner");
  grant();
  expect(existsSync(mark)).toBe(true);
});

test("a DATA_DIR with spaces and symbols, longer than a socket's path, behind a link, works", async () => {
  const real = join(place, 'it\'s a "data" dir; $(x) ü', "d".repeat(120));
  mkdirSync(real, { recursive: true });
  // Postgres may run as another user, who must be able to enter.
  chmodSync(place, 0o711);
  await fillDataDir(real);
  const dataDir = join(place, "a link");
  symlinkSync(real, dataDir);
  const one = npmStart({ port, dataDir });
  started.push(one);
  await one.ready;
  expect((await fetch(`http://localhost:${port}/readyz`)).status).toBe(200);
  const admin = spawnSync(
    "npm",
    [
      "run",
      "-s",
      "admin",
      "--",
      "user",
      "create",
      "--username",
      "ana",
      "--email",
      "ana@example.com",
      "--password",
      "correct horse battery",
      "--json",
    ],
    {
      env: { ...process.env, DATA_DIR: dataDir },
      encoding: "utf8",
    },
  );
  expect(JSON.parse(admin.stdout)).toMatchObject({ username: "ana" });
});

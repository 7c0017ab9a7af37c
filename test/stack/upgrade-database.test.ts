import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { readArguments } from "../../workers/admin/arguments.ts";
import { databaseCommands } from "../../workers/admin/database/database-commands.ts";
import { lockDataDir } from "../../workers/local/stack/record.ts";
import { fillDataDir } from "../support/data-dir.ts";
import { POSTGRES_17 } from "../support/postgres-17.ts";
import { PROJECT_DIR } from "../support/structure.ts";
import { startDatabase } from "./database.ts";
import { asked } from "./managed-database.ts";
import { contentsOf, ODD_ROWS } from "./moved-database.support.ts";
import { nothingRuns, temporaryDataDir } from "./npm-start.ts";

const dataDir = temporaryDataDir();
/** The filled directory, of which each test gets a copy. */
const filled = `${dataDir}.filled`;
/** Stands for a system that has PostgreSQL 17. */
const PATH = [process.env.PATH, POSTGRES_17].join(delimiter);
const former = (major: number) => join(dataDir, `postgres.from-${major}`);

type Contents = Awaited<ReturnType<typeof contentsOf>>;
let original: Contents;

/** Starts the database as the next start of the service does. */
async function contents(): Promise<Contents> {
  const database = await startDatabase(dataDir);
  return contentsOf(database.databaseUrl).finally(() => database.stop({ keepData: true }));
}

beforeEach(() => {
  vi.stubEnv("PATH", PATH);
  rmSync(dataDir, { recursive: true, force: true });
  execFileSync("cp", ["-a", filled, dataDir]);
});
beforeAll(async () => {
  await fillDataDir(dataDir);
  const database = await startDatabase(dataDir);
  await asked(database.databaseUrl, ODD_ROWS);
  original = await contentsOf(database.databaseUrl);
  await database.stop({ keepData: true });
  execFileSync("mv", [dataDir, filled]);
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => {
  for (const made of [dataDir, filled]) rmSync(made, { recursive: true, force: true });
});

async function upgrade(postgresBin: string, ...words: string[]) {
  for (const [name, text] of Object.entries({ PATH, DATA_DIR: dataDir, POSTGRES_BIN: postgresBin }))
    vi.stubEnv(name, text);
  const given = readArguments(["upgrade-database", ...words]);
  return (await databaseCommands["upgrade-database"]?.(given)) ?? expect.fail("No such command");
}

/** The same objects and rows, and ids of transactions that go on. */
function expectSame(found: Contents, major: number): void {
  expect(found.major).toBe(major);
  expect(found.tables).toEqual(original.tables);
  expect(found.objects).toEqual(original.objects);
  expect(found.next).toBeGreaterThanOrEqual(original.next);
}

test("a database moves from 18 to 17 and back, with all rows, and the old one is kept", async () => {
  const reply = await upgrade(POSTGRES_17);
  expect(reply).toMatchObject({ from: expect.stringMatching(/^18\./), to: expect.stringMatching(/^17\./) });
  expect(reply.kept).toBe(former(18));
  expect(existsSync(join(former(18), "PG_VERSION"))).toBe(true);
  expectSame(await contents(), 17);
  await expect(upgrade(POSTGRES_17)).rejects.toThrow("is PostgreSQL 17 already");

  rmSync(former(18), { recursive: true });
  expect(await upgrade("")).toMatchObject({ kept: former(17) });
  expectSame(await contents(), 18);
  await expect(upgrade(POSTGRES_17, "--from", POSTGRES_17)).rejects.toThrow(
    /made by PostgreSQL 18, and --from names 17\./,
  );
});

test("it is refused beside a start, on an empty directory, and over an earlier old one", async () => {
  const lock = await lockDataDir(dataDir);
  await expect(upgrade(POSTGRES_17)).rejects.toThrow("is at work on");
  lock.release();
  vi.stubEnv("DATA_DIR", "/nonexistent");
  await expect(databaseCommands["upgrade-database"]?.(readArguments(["upgrade-database"]))).rejects.toThrow(
    "No stack has run on",
  );
});

/** Lines that tell how far it is. The last comes right before the two renames, which may be done when the signal comes. */
test.each(["Copying PostgreSQL", "Comparing each row", "The new one is whole"])(
  "killed at %j it leaves a database with all rows, and the next one succeeds",
  async (line) => {
    const command = spawn(process.execPath, ["workers/admin/main.ts", "upgrade-database"], {
      cwd: PROJECT_DIR,
      env: { ...process.env, PATH, DATA_DIR: dataDir, POSTGRES_BIN: POSTGRES_17 },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const ended = once(command, "exit");
    for await (const said of createInterface(command.stderr))
      if (said.startsWith(line)) command.kill("SIGKILL");
    await ended;
    await nothingRuns(dataDir);
    const found = await contents();
    expectSame(found, found.major);
    if (found.major === 18) await upgrade(POSTGRES_17);
    expectSame(await contents(), 17);
  },
);

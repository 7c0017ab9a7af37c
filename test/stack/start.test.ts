import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFailed, test, vi } from "vitest";
import { readArguments } from "../../workers/admin/arguments.ts";
import { databaseCommands } from "../../workers/admin/database/database-commands.ts";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { environmentOf } from "../../workers/local/stack/processes.ts";
import { lockDataDir } from "../../workers/local/stack/record.ts";
import { fillDataDir } from "../support/data-dir.ts";
import { blocksOf, runProgram } from "../support/snippets.ts";
import {
  type NpmStart,
  nothingRuns,
  npmStart,
  pidsOf,
  processesOf,
  runningStack,
  temporaryDataDir,
  until,
} from "./npm-start.ts";

const started: NpmStart[] = [];
const dataDirs: string[] = [];

function start(options: Parameters<typeof npmStart>[0]): NpmStart {
  const one = npmStart(options);
  started.push(one);
  return one;
}

function newDataDir(): string {
  const dataDir = temporaryDataDir();
  dataDirs.push(dataDir);
  return dataDir;
}

afterAll(async () => {
  for (const { npm } of started) npm.kill("SIGTERM");
  await Promise.all(dataDirs.map((dataDir) => nothingRuns(dataDir)));
  for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true, force: true });
});

async function query(dataDir: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: (await runningStack(dataDir)).databaseUrl });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** An ID3 tag, or the sync word of a frame. */
const isMp3 = (file: Buffer) => file.toString("latin1", 0, 3) === "ID3" || file.readUInt16BE(0) >= 0xffe0;

const answers = (url: string) => fetch(url).then((response) => response.status < 500);

/** Variables of a shell for a database elsewhere, as Neon's console gives them. */
const OF_ANOTHER_DATABASE = { PGHOST: "db.example", PGSSLMODE: "require", PGPASSWORD: "hush" };

/** Each test continues where the previous one left the data directory. */
describe("npm start", () => {
  const dataDir = newDataDir();
  let port: number;
  let stack: NpmStart;

  beforeAll(async () => {
    port = await freePorts(3);
    stack = start({ port, dataDir, env: OF_ANOTHER_DATABASE });
    await stack.ready;
  });

  beforeEach(() => onTestFailed(() => console.error(stack.output())));

  test("prints every address once, and they answer", async () => {
    const [api, older, objects] = [port, port + 1, port + 2].map((one) => `http://localhost:${one}`);
    expect(stack.output().match(/Soundpost is ready/g)).toHaveLength(1);
    expect(stack.output()).not.toContain("worker: ");
    expect(await stack.ready).toBe(
      `Soundpost is ready: ${api} · older API ${older} · objects ${objects} · docs ${api}/docs · mail ${api}/dev/mail`,
    );
    for (const url of [api, older, objects, `${api}/dev/mail`]) expect(await answers(`${url}`)).toBe(true);
  });

  test("gives its database no password of the shell that starts it", async () => {
    const { postgres } = (await runningStack(dataDir)).children;
    const inherited = environmentOf(postgres?.pid ?? 0).map((one) => one.split("=")[0]);
    expect(inherited).toContain("PATH");
    expect(inherited).not.toContain("PGPASSWORD");
  });

  test("lets an operator export its database while it runs", async () => {
    const to = join(newDataDir(), "running.sql");
    mkdirSync(dirname(to), { recursive: true });
    vi.stubEnv("DATA_DIR", dataDir);
    const exported = databaseCommands["export-database"]?.(readArguments(["export-database", "--to", to]));
    expect(await exported?.finally(() => vi.unstubAllEnvs())).toMatchObject({ exported: to });
    expect(readFileSync(to, "utf8")).toContain("\nCOPY public.users ");
    expect(await answers(`http://localhost:${port}/tracks`)).toBe(true);
  });

  test("shows visitors a whole page while nothing is published", async () => {
    const page = await (await fetch(`http://localhost:${port}/`)).text();
    expect(page).toContain("Nobody has published a track yet");
    expect(page).toContain('class="promises"');
    // Signing up is the one thing to do.
    expect(page).toMatch(/class="button" href="[^"]*sign_up=true[^"]*"[^>]*>\s*Create an account/);
    expect(page).not.toMatch(/class="tiles"|<track-player|data-play/);
  });

  test("lets a newcomer hear a first sound by the quick start alone", async () => {
    const page = await (await fetch(`http://localhost:${port}/docs/quick-start.md`)).text();
    const commands = blocksOf(page).map(({ code }) => code);
    const directory = newDataDir();
    mkdirSync(directory, { recursive: true });
    await runProgram("bash", ["-c", ["set -eo pipefail", ...commands].join("\n")], {}, { cwd: directory });
    const sound = readFileSync(join(directory, "first.mp3"));
    expect([sound.length > 40_000, isMp3(sound)]).toEqual([true, true]);
  });

  describe("another stack, with OLDER_BEHAVIOUR=off", () => {
    let other: NpmStart;
    let api: string;

    test("runs beside the first, closes the older endpoints and does not announce them", async () => {
      const elsewhere = newDataDir();
      await fillDataDir(elsewhere);
      const otherPort = await freePorts(3);
      other = start({ port: otherPort, dataDir: elsewhere, env: { OLDER_BEHAVIOUR: "off" } });
      api = `http://localhost:${otherPort}`;
      expect(await other.ready).not.toContain("older API");
      expect((await fetch(`${api}/connect`)).status).toBe(410);
      expect((await fetch(`${api}/oauth2/token`, { method: "POST" })).status).toBe(410);
      expect((await fetch(`http://localhost:${port + 1}/connect`)).status).not.toBe(410);
    });

    test("ends on Ctrl-C, which the terminal sends to the whole group, and leaves the first", async () => {
      process.kill(-(other.npm.pid ?? 0), "SIGINT");
      await nothingRuns(other.dataDir);
      expect(other.output()).not.toMatch(/crashed|unexpectedly|While stopping/);
      expect(await answers((await runningStack(dataDir)).urls.api)).toBe(true);
    });
  });

  test("Ctrl-C before it is ready ends it without an error", async () => {
    const elsewhere = newDataDir();
    const { npm, ended, output } = start({ port: await freePorts(3), dataDir: elsewhere });
    const isMade = () => ["postgres.draft", "postgres"].some((name) => existsSync(join(elsewhere, name)));
    await until("the database is made", isMade);
    process.kill(-(npm.pid ?? 0), "SIGINT");
    expect(await ended).toBe(0);
    expect(output()).toContain("Stopping");
    expect(output()).not.toMatch(/does not build|interrupted|failed/);
  });

  test("an invalid value of OLDER_BEHAVIOUR ends the start with a sentence", async () => {
    const env = { OLDER_BEHAVIOUR: "Off!" };
    const { ended, output } = start({ port: await freePorts(3), dataDir: newDataDir(), env });
    expect(await ended).toBe(1);
    expect(output()).toContain('OLDER_BEHAVIOUR must be on or off, not "Off!"');
  });

  test("a directory in the place of a file is refused before anything is done", () => {
    const { status, stdout, stderr } = spawnSync("npm", ["start", "--silent", "--", dataDir], {
      env: { ...process.env, PORT: String(port), DATA_DIR: dataDir },
      encoding: "utf8",
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(`There is no file ${dataDir}`);
  });

  test("an option that it has not is not taken for a file", () => {
    const { status, stderr } = spawnSync(process.execPath, ["workers/local/stack/start.ts", "--port", "9"], {
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining("There is no option --port\n\nUsage: ")]);
  });

  test("without an ffmpeg it names the one command that installs it, and starts nothing", async () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["workers/local/stack/start.ts"], {
      env: { PATH: "/nonexistent", PORT: String(await freePorts(3)), DATA_DIR: newDataDir() },
      encoding: "utf8",
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^There is no ffmpeg of 5 or newer: .*install.*ffmpeg/);
  });

  test("refuses a data directory or port in use and names the holder", async () => {
    const { pid } = await runningStack(dataDir);
    const stranger = createServer().listen(0, "127.0.0.1");
    await until("the stranger listens", () => stranger.listening);
    const strangersPort = (stranger.address() as { port: number }).port;
    const sameData = start({ port: await freePorts(3), dataDir });
    const samePort = start({ port: strangersPort, dataDir: newDataDir() });
    expect(await sameData.ended).toBe(1);
    expect(await samePort.ended).toBe(1);
    stranger.close();
    expect(sameData.output()).toContain(
      `already running on ${dataDir} (pid ${pid}, http://localhost:${port})`,
    );
    expect(samePort.output()).toMatch(`Port ${strangersPort}, meant for the API, is taken by `);
    expect(samePort.output()).toContain(`(pid ${process.pid})`);
    expect(samePort.output()).toContain("PORT=");
  });

  test("waits for an operator's command that holds the data directory", async () => {
    const wanted = newDataDir();
    const command = await lockDataDir(wanted);
    const waiting = start({ port: await freePorts(3), dataDir: wanted });
    await until("it waits", () => waiting.output().includes("Waiting: Another start or command is at work"));
    command.release();
    await waiting.ready;
    waiting.npm.kill("SIGTERM");
    await waiting.ended;
  });

  test("restarts killed processes", async () => {
    await query(dataDir, "CREATE TABLE kept (what text); INSERT INTO kept VALUES ('before')");
    const { children, urls, ports } = await runningStack(dataDir);
    for (const child of Object.values(children)) process.kill(child.pid, "SIGKILL");
    const reborn = async (name: string) => {
      const pid = (await runningStack(dataDir)).children[name]?.pid;
      return pid !== undefined && pid !== children[name]?.pid;
    };
    for (const name of ["postgres", "objects", "transcoder", "transcoder-1", "worker"]) {
      await until(`${name} is another process`, () => reborn(name));
    }
    await until("the Worker answers", () => answers(urls.api));
    await until("the object store answers", () => answers(urls.objects));
    await until("the transcoder answers", () => answers(`http://127.0.0.1:${ports.transcoder}/`));
    // A killed database first replays its log.
    const rows = await until("the database answers", () => query(dataDir, "SELECT what FROM kept"));
    expect(rows).toEqual([{ what: "before" }]);
  });

  test("stops everything on SIGTERM to npm and preserves the data", async () => {
    stack.npm.kill("SIGTERM");
    await stack.ended;
    await nothingRuns(dataDir);
    stack = start({ port, dataDir });
    await stack.ready;
    expect(await query(dataDir, "SELECT what FROM kept")).toEqual([{ what: "before" }]);
  });

  test("leaves no process behind when the stack is killed, and starts again (F61)", async () => {
    process.kill((await runningStack(dataDir)).pid, "SIGKILL");
    await nothingRuns(dataDir);
    stack = start({ port, dataDir });
    await stack.ready;
    expect(await query(dataDir, "SELECT what FROM kept")).toEqual([{ what: "before" }]);
  });

  test("recovers when its watchdog was killed, too", async () => {
    const watchdog = processesOf(dataDir).find((line) => line.includes("soundpost-watchdog"));
    const { pid, children } = await runningStack(dataDir);
    process.kill(Number.parseInt(watchdog ?? "", 10), "SIGKILL");
    process.kill(pid, "SIGKILL");
    await stack.ended;
    expect(pidsOf(dataDir)).toContain(children.postgres?.pid);
    stack = start({ port, dataDir });
    await stack.ready;
    expect(await query(dataDir, "SELECT what FROM kept")).toEqual([{ what: "before" }]);
    expect(pidsOf(dataDir)).not.toContain(children.worker?.pid);
  });

  test("ends with npm when npm is killed", async () => {
    stack.npm.kill("SIGKILL");
    await nothingRuns(dataDir);
  });
});

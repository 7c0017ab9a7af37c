import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { type RequestOptions, request } from "node:https";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { PROJECT_DIR } from "../../support/structure.ts";
import { pidsOf, until } from "../npm-start.ts";
import { HERE, type Room } from "./room.support.ts";

const run = promisify(execFile);

/** Names the one command that installs what a machine lacks. Debian's packages are called like their programs. */
export function requirePrograms(...programs: string[]): void {
  const missing = programs.filter((program) => !existsSync(join("/usr/bin", program)));
  if (missing.length)
    throw new Error(
      `This drill needs more programs: sudo apt-get install -y --no-install-recommends ${missing.join(" ")}`,
    );
}

/** A clone of the project, as somebody gets it who knows only its address. */
export async function cloneProject(directory: string): Promise<void> {
  await run("git", ["clone", "--quiet", "--depth", "1", `file://${PROJECT_DIR}`, directory]);
}

export type OwnServer = Awaited<ReturnType<typeof openServer>>;

interface Place {
  clone: string;
  dataDir: string;
  port: number;
  /** Ports of the site and of the storage. */
  https: number[];
  /** The root of the paths. */
  room?: Room;
}

/** A server of one's own behind Caddy, run as its unit and its Caddyfile say. */
export async function openServer({ clone, dataDir, port, https, room = HERE }: Place) {
  const seen = (path: string) => join(room.root, path);
  const [site, objects] = https.map((one) => `https://localhost:${one}`) as [string, string];
  const caddyHome = join(dataDir, "../caddy");
  const ca = join(caddyHome, "caddy/pki/authorities/local/root.crt");
  mkdirSync(seen(caddyHome), { recursive: true });
  const children: ChildProcess[] = [];
  const { PATH = "", HOME = "/" } = process.env;
  const env = { PATH, HOME, DATA_DIR: dataDir };
  /** A command as it runs in the room. */
  function words(cwd: string, variables: Record<string, string>, command: string[]): [string, string[]] {
    const assigned = Object.entries({ ...env, ...variables }).map(([name, value]) => `${name}=${value}`);
    return ["env", ["-i", `PATH=${PATH}`, ...room.enter, "env", "-C", cwd, ...assigned, ...command]];
  }
  const admin = (...given: string[]) => {
    const variables = { PORT: String(port), NODE_EXTRA_CA_CERTS: ca };
    return run(...words(clone, variables, ["npm", "run", "-s", "admin", "--", ...given]));
  };

  /** Runs a program that outlives nothing: it is killed by its id. */
  function start(command: string, args: string[], more: Record<string, string>, cwd: string): void {
    const log = openSync(seen(join(dataDir, "../log")), "a");
    children.push(spawn(...words(cwd, more, [command, ...args]), { stdio: ["ignore", log, log] }));
  }
  async function startCaddy(): Promise<void> {
    const { stdout } = await admin("service", "--caddy");
    const file = join(caddyHome, "Caddyfile");
    writeFileSync(
      seen(file),
      `{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n${stdout}`,
    );
    start("caddy", ["run", "--config", file], { XDG_DATA_HOME: caddyHome }, caddyHome);
  }
  async function startUnit(): Promise<void> {
    const { stdout } = await admin("service", "--unit");
    for (const prepare of linesOf(stdout, "ExecStartPre"))
      await run(...words("/", {}, wordsOf(prepare.replace(/^\+/, ""))));
    const [program = "", ...args] = wordsOf(linesOf(stdout, "ExecStart")[0] ?? "");
    const set = linesOf(stdout, "Environment").flatMap(wordsOf);
    const variables = Object.fromEntries(set.map((one) => one.split(/=(.*)/s).slice(0, 2)));
    start(program, args, variables, linesOf(stdout, "WorkingDirectory")[0] ?? "");
  }
  /** Asks through Caddy, trusting its authority alone. `from` is the listener's address. */
  async function ask(
    url: string,
    {
      from,
      body,
      ...more
    }: RequestOptions & {
      headers?: Record<string, string | number>;
      from?: string;
      body?: string | Buffer;
    } = {},
  ) {
    const { port, pathname, search } = new URL(url, site);
    const sending = request({
      host: "127.0.0.1",
      servername: "localhost",
      port,
      path: pathname + search,
      ca: readFileSync(seen(ca)),
      agent: false,
      ...(from && { localAddress: from }),
      ...more,
      headers: { Host: `localhost:${port}`, ...more.headers },
    });
    sending.end(body);
    const [reply] = (await once(sending, "response")) as [IncomingMessage];
    return { status: reply.statusCode ?? 0, headers: reply.headers, body: await text(reply) };
  }
  return {
    site,
    objects,
    ca: seen(ca),
    admin,
    ask,
    async start(): Promise<void> {
      await startCaddy();
      await startUnit();
      const isReady = async () => (await ask("/readyz")).status === 200;
      await until("the server is ready behind Caddy", isReady, 180_000);
    },
    /** A power cut, but for the disk: everything at once, by its id. */
    async kill(): Promise<number> {
      const pids = [...new Set([...pidsOf(dataDir), ...children.flatMap(({ pid }) => pid ?? [])])];
      for (const pid of pids)
        try {
          process.kill(pid, "SIGKILL");
        } catch {
          // It ended with its parent.
        }
      children.length = 0;
      await until("everything ended", () => pidsOf(dataDir).length === 0);
      return pids.length;
    },
    log: () => readFileSync(seen(join(dataDir, "../log")), "utf8"),
  };
}

const linesOf = (unit: string, key: string): string[] =>
  unit.split("\n").flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1)] : []));

/** Words as systemd reads them, in quotes or not. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, bare = ""]) =>
    (quoted?.replace(/\\(.)/g, "$1") ?? bare).replaceAll("%%", "%"),
  );

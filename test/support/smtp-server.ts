import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { freePorts } from "../../workers/local/stack/ports.ts";

const PACKAGE = "python3-aiosmtpd";
const APT = ["-o", "DPkg::Lock::Timeout=300"];
const PYTHON = "/usr/bin/python3";

const run = promisify(execFile);

const isInstalled = () =>
  run(PYTHON, ["-c", "import aiosmtpd"]).then(
    () => true,
    () => false,
  );

/** Installs Debian's SMTP server as root on a bare machine, as in CI. */
async function requireServer(): Promise<void> {
  if (await isInstalled()) return;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get"))
    for (const words of [["update"], ["install", "-y", "--no-install-recommends", PACKAGE]])
      await run("apt-get", [...APT, ...words], { env });
  if (!(await isInstalled()))
    throw new Error(`This test needs a mail server: sudo apt-get install ${PACKAGE}`);
}

interface TakenMail {
  from: string;
  to: string[];
  /** Head and body as they were sent. */
  text: string;
}

/** Starts a mail server that `smtp-server.py` describes, on a port of its own that it keeps. */
export async function startSmtpServer(password?: string) {
  await requireServer();
  const port = await freePorts(1);
  const taken: TakenMail[] = [];
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const script = join(import.meta.dirname, "smtp-server.py");
    const started = spawn(PYTHON, [script, String(port), ...(password ? [password] : [])], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    child = started;
    const lines = createInterface(started.stdout);
    await once(lines, "line");
    lines.on("line", (line) => taken.push(JSON.parse(line)));
  }

  async function stop(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  await start();
  return {
    url: new URL(`smtp://127.0.0.1:${port}`),
    start,
    stop,
    to: (address: string) => taken.filter(({ to }) => to.includes(address)),
  };
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { requirePackage, succeeds } from "./debian.ts";

const PYTHON = "/usr/bin/python3";

/** Debian's SMTP server. */
const requireServer = () =>
  requirePackage("python3-aiosmtpd", {
    purpose: "a mail server",
    isInstalled: () => succeeds(PYTHON, "-c", "import aiosmtpd"),
  });

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

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { stoppable } from "../stops.ts";
import type { PeerOptions, PeerReady } from "./server.ts";

/** `oidc-provider` on Node, with its tables beside ours in the same PostgreSQL. */
export async function startPeer(options: PeerOptions) {
  const server = spawn(process.execPath, [join(import.meta.dirname, "server.ts"), JSON.stringify(options)], {
    // Without it Koa and Express-like servers keep their development checks.
    env: { ...process.env, NODE_ENV: "production", NODE_NO_WARNINGS: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(server, "exit");
  const stop = stoppable(async () => {
    server.kill("SIGTERM");
    await ended;
  });
  const ready = new Promise<PeerReady>((resolve, reject) => {
    createInterface(server.stdout).on("line", (line) => line.startsWith("{") && resolve(JSON.parse(line)));
    server.once("exit", (code) => reject(new Error(`The peer ended with ${code}`)));
  });
  return { ...(await ready), pid: server.pid ?? 0, stop };
}

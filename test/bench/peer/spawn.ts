import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { stoppable } from "../stops.ts";

/**
 * Starts a peer of this folder on Node with `options` as its argument. It prints one line of JSON when ready.
 */
export async function spawnPeer<Ready extends object>(file: string, options: object) {
  const server = spawn(process.execPath, [join(import.meta.dirname, file), JSON.stringify(options)], {
    env: { ...process.env, NODE_ENV: "production", NODE_NO_WARNINGS: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(server, "exit");
  const stop = stoppable(async () => {
    server.kill("SIGTERM");
    await ended;
  });
  const ready = new Promise<Ready>((resolve, reject) => {
    createInterface(server.stdout).on("line", (line) => line.startsWith("{") && resolve(JSON.parse(line)));
    server.once("exit", (code) => reject(new Error(`The peer ended with ${code}`)));
  });
  return { ...(await ready), pid: server.pid ?? 0, stop };
}

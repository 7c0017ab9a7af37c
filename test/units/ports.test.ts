import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { portRefusal } from "../../workers/local/stack/port-refusal.ts";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { PROJECT_DIR } from "../support/structure.ts";

test("chosen ports are not chosen again before anybody can listen on them", async () => {
  const ports = await Promise.all(Array.from({ length: 260 }, () => freePorts()));
  expect(new Set(ports).size).toBe(260);
  expect(Math.min(...ports)).toBeGreaterThanOrEqual(18_000);
  // The kernel assigns higher ports to outgoing connections.
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

/** Starts a process that chooses all of its ports. Resolves to them while it still runs. */
async function chooser(): Promise<{ ports: string[]; end(): void }> {
  const source = join(PROJECT_DIR, "workers/local/stack/ports.ts");
  // Neighbouring ids would hide that two processes share a range.
  const code = `Object.defineProperty(process, "pid", { value: ${process.pid} });
    const { freePorts } = await import(${JSON.stringify(source)});
    for (let i = 0; i < 298; i++) console.log(await freePorts());
    process.stdin.resume();`;
  const { stdin, stdout } = spawn(process.execPath, ["--input-type=module", "-e", code]);
  const ports: string[] = [];
  for await (const line of createInterface(stdout)) if (ports.push(line) === 298) break;
  return { ports, end: () => stdin.end() };
}

test("processes that run at once never choose each other's ports", async () => {
  const choosers = await Promise.all(Array.from({ length: 4 }, chooser));
  for (const { end } of choosers) end();
  expect(new Set(choosers.flatMap(({ ports }) => ports)).size).toBe(4 * 298);
});

test("a start is told that BIND names no address of this machine, before anything is made", async () => {
  const port = await freePorts();
  // Documentation's own network: RFC 5737.
  expect(await portRefusal(port, ["the API"], ["127.0.0.1", "192.0.2.1"])).toBe(
    "BIND names 192.0.2.1, which is no address of this machine (EADDRNOTAVAIL)",
  );
  expect(await portRefusal(port, ["the API"], ["127.0.0.1", "::1"])).toBeUndefined();
  expect(await portRefusal(port, ["the API"], ["0.0.0.0", "::"])).toBeUndefined();
});

test("a port that a user may not open is not called taken, and no other such port is advised", async () => {
  const refused = () => Promise.resolve({ host: "127.0.0.1", code: "EACCES" });
  const said = await portRefusal(80, ["the API"], ["127.0.0.1"], refused);
  expect(said).toContain("Only root may open port 80, meant for the API");
  expect(said).toContain("PORT=8787");
  expect(said).not.toMatch(/taken|PORT=180/);
});

import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createServer } from "node:net";
import { allPids, commandLineOf } from "./processes.ts";

/** Below the kernel's ephemeral range (32768 up), so that no outgoing connection takes a chosen port. */
const FIRST_PRIVATE_PORT = 18_000;
/** Seconds may pass between choice and use, so each process chooses from a range of its own. */
const RANGE = 300;
const RANGES = 40;
let range: Promise<number> | undefined;
let chosen = Math.floor(Math.random() * (RANGE - 1));

interface PortFault {
  host: string;
  code: string;
}

const LOOPBACK = ["127.0.0.1", "::1"];

const listens = (port: number, host: string): Promise<NodeJS.ErrnoException | undefined> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", resolve);
    probe.listen({ port, host, exclusive: true, ipv6Only: true }, () =>
      probe.close(() => resolve(undefined)),
    );
  });

/** Finds the first host at which nobody can listen on the port. A machine may lack IPv6, which is no fault. */
export async function portFault(port: number, hosts = LOOPBACK): Promise<PortFault | undefined> {
  for (const host of hosts) {
    const { code } = (await listens(port, host)) ?? {};
    const lacksIpv6 = host === "::1" && (code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT");
    if (code && !lacksIpv6) return { host, code };
  }
  return undefined;
}

const isFree = async (port: number): Promise<boolean> => !(await portFault(port));

/** Listens on a port until this process ends, and answers nobody. Resolves to whether it could. */
const hold = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const holder = createServer((socket) => socket.destroy());
    holder.once("error", () => resolve(false));
    holder.listen({ port, host: "127.0.0.1", exclusive: true }, () => resolve(true)).unref();
  });

/** Takes a range: the process that holds its first port has the rest. Resolves to the second. */
async function takeRange(): Promise<number> {
  for (let tried = 0; tried < RANGES; tried++) {
    const first = FIRST_PRIVATE_PORT + ((process.pid + tried) % RANGES) * RANGE;
    if (await hold(first)) return first + 1;
  }
  throw new Error(
    `All ${RANGES} ranges of ports from ${FIRST_PRIVATE_PORT} are taken. Stop some of Soundpost's processes.`,
  );
}

function choose(count: number): number {
  if (chosen + count >= RANGE) chosen = 0;
  chosen += count;
  return chosen - count;
}

/** Returns the first of `count` consecutive free ports, never the same twice in a row. */
export async function freePorts(count = 1): Promise<number> {
  range ??= takeRange();
  for (;;) {
    const first = (await range) + choose(count);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first;
  }
}

/** Describes the process on a port if visible: "node server.js (pid 4711)". */
export function listenerOn(port: number): string | undefined {
  const inodes = new Set(["tcp", "tcp6"].flatMap((table) => listeningInodes(table, port)));
  const pid = inodes.size > 0 ? allPids().find((one) => holdsSocket(one, inodes)) : undefined;
  return pid === undefined ? undefined : `${commandLineOf(pid).slice(0, 120)} (pid ${pid})`;
}

/**
 * Columns of /proc/net/tcp: local address and port in hexadecimal, state (0A listens), and the socket's
 * inode.
 */
function listeningInodes(table: string, port: number): string[] {
  const portHex = port.toString(16).toUpperCase().padStart(4, "0");
  try {
    const rows = readFileSync(`/proc/net/${table}`, "utf8").split("\n").slice(1);
    return rows
      .map((row) => row.trim().split(/\s+/))
      .filter((row) => row[1]?.endsWith(`:${portHex}`) && row[3] === "0A")
      .map((row) => row[9] ?? "");
  } catch {
    return [];
  }
}

function holdsSocket(pid: number, inodes: Set<string>): boolean {
  try {
    const links = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
    return links.some((link) => inodes.has(link.slice("socket:[".length, -1)));
  } catch {
    return false; // another user's, or gone
  }
}

import { readFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { FRONT_HEADER } from "../../front-secret.ts";
import type { Mount } from "./front.ts";

const END = "# EOF\n";

interface Machine {
  workerPort: number;
  secret: string;
  /** The processes of the stack, by name. */
  pids: () => Record<string, number>;
  dataDir: string;
}

/** Adds this machine's memory and disk to the Worker's `/metrics`, which knows of neither. */
export const machineMetrics =
  (machine: Machine): Mount =>
  (request, response) => {
    if (request.method !== "GET" || request.url !== "/metrics") return false;
    addMachine(machine, request, response).catch(() => response.writeHead(503).end());
    return true;
  };

async function addMachine(machine: Machine, { headers }: IncomingMessage, response: ServerResponse) {
  const reply = await fetch(`http://127.0.0.1:${machine.workerPort}/metrics`, {
    headers: {
      [FRONT_HEADER]: machine.secret,
      ...(headers.authorization && { Authorization: headers.authorization }),
    },
  });
  const text = await reply.text();
  const whole = text.endsWith(END) ? `${text.slice(0, -END.length)}${await familiesOf(machine)}${END}` : text;
  const names = ["content-type", "cache-control", "www-authenticate", "x-request-id"];
  response.writeHead(
    reply.status,
    names.flatMap((name) => (reply.headers.has(name) ? [name, reply.headers.get(name) ?? ""] : [])),
  );
  response.end(whole);
}

async function familiesOf({ pids, dataDir }: Machine): Promise<string> {
  const disk = await statfs(dataDir);
  const processes = Object.entries({ stack: process.pid, ...pids() });
  return [
    "# TYPE soundpost_process_resident_memory_bytes gauge",
    "# UNIT soundpost_process_resident_memory_bytes bytes",
    ...processes.map(
      ([name, pid]) => `soundpost_process_resident_memory_bytes{process="${name}"} ${residentBytes(pid)}`,
    ),
    "# TYPE soundpost_disk_free_bytes gauge",
    "# UNIT soundpost_disk_free_bytes bytes",
    `soundpost_disk_free_bytes ${disk.bavail * disk.bsize}`,
    "# TYPE soundpost_disk_size_bytes gauge",
    "# UNIT soundpost_disk_size_bytes bytes",
    `soundpost_disk_size_bytes ${disk.blocks * disk.bsize}`,
    "",
  ].join("\n");
}

/** Zero if the process has just ended. */
function residentBytes(pid: number): number {
  try {
    const [, kibibytes = "0"] =
      /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kibibytes) * 1024;
  } catch {
    return 0;
  }
}

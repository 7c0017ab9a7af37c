import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** The kernel reuses process ids. The start time (clock ticks since boot) makes the pair unique. */
export type ProcessIdentity = { pid: number; startTicks: string };

/** Reads /proc/<pid>/stat. Its second field, the command's name, may hold spaces and brackets. */
function statFields(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

/** Returns `undefined` if no such process runs. Zombies do not count. */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const fields = statFields(pid);
  const [state, startTicks] = [fields?.[0], fields?.[19]];
  return startTicks === undefined || state === "Z" ? undefined : { pid, startTicks };
}

export const isRunning = (one: ProcessIdentity): boolean =>
  identityOf(one.pid)?.startTicks === one.startTicks;

/** Empty if the process is gone or belongs to another user. */
function listIn(pid: number, file: "cmdline" | "environ"): string[] {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8").split("\0");
  } catch {
    return [];
  }
}

export const commandLineOf = (pid: number): string => listIn(pid, "cmdline").join(" ").trim();
export const environmentOf = (pid: number): string[] => listIn(pid, "environ");

export const allPids = (): number[] => readdirSync("/proc").map(Number).filter(Number.isInteger);

export const childrenOf = (parent: number): number[] =>
  allPids().filter((pid) => statFields(pid)?.[1] === String(parent));

async function waitForExit(one: ProcessIdentity, withinMs: number): Promise<boolean> {
  for (const deadline = Date.now() + withinMs; isRunning(one); await sleep(20)) {
    if (Date.now() > deadline) return false;
  }
  return true;
}

/** Sends each signal in turn and waits after each. */
export async function stopProcess(
  one: ProcessIdentity,
  signals: NodeJS.Signals[],
  eachMs: number,
): Promise<void> {
  for (const signal of signals) {
    if (!isRunning(one)) return;
    try {
      process.kill(one.pid, signal);
    } catch {
      return; // it ended between the two lines
    }
    if (await waitForExit(one, eachMs)) return;
  }
}

import { readFileSync, writeFileSync } from "node:fs";
import { childrenOf } from "../../workers/local/stack/processes.ts";

/** USER_HZ, the unit of CPU time in /proc on every Linux. */
const TICKS_PER_SECOND = 100;
const KIB_PER_MIB = 1024;
const SAMPLE_MS = 100;
/** proc_pid_clear_refs(5): resets the peak to the current resident size. */
const RESET_PEAK = "5";

interface Ticks {
  own: number;
  /** CPU of ended children, recursively. */
  reaped: number;
}

function ticksOf(pid: number | "self"): Ticks {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [user, system, reapedUser, reapedSystem] = fields.slice(11, 15).map(Number);
    return { own: (user ?? 0) + (system ?? 0), reaped: (reapedUser ?? 0) + (reapedSystem ?? 0) };
  } catch {
    return { own: 0, reaped: 0 };
  }
}

const treeOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(treeOf)];

/** CPU seconds of the process itself. */
export const ownCpuS = (pid: number): number => ticksOf(pid).own / TICKS_PER_SECOND;

/** CPU seconds of the process and its descendants, including ended ones. */
export const treeCpuS = (pid: number): number =>
  treeOf(pid)
    .map(ticksOf)
    .reduce((sum, { own, reaped }) => sum + own + reaped, 0) / TICKS_PER_SECOND;

/** CPU seconds of our own ended children. */
export const reapedCpuS = (): number => ticksOf("self").reaped / TICKS_PER_SECOND;

export type Readings<Name extends string> = Record<Name, number>;

export const difference = <Name extends string>(after: Readings<Name>, before: Readings<Name>) =>
  Object.fromEntries(
    Object.entries<number>(after).map(([name, value]) => [name, value - before[name as Name]]),
  ) as Readings<Name>;

export const scaled = <Name extends string>(readings: Readings<Name>, by: number) =>
  Object.fromEntries(
    Object.entries<number>(readings).map(([name, value]) => [name, value * by]),
  ) as Readings<Name>;

export const total = (readings: Readings<string>): number =>
  Object.values(readings).reduce((sum, value) => sum + value, 0);

function statusMib(pid: number, field: "VmHWM" | "VmRSS"): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0) / KIB_PER_MIB;
  } catch {
    return 0;
  }
}

/**
 * Peaks in MiB from now on: the kernel's for each process, sampled ones for the children of `parentOfMany`.
 */
export function watchPeaks<Name extends string>(pids: Record<Name, number>, parentOfMany: number) {
  const names = Object.keys(pids) as Name[];
  for (const name of names) writeFileSync(`/proc/${pids[name]}/clear_refs`, RESET_PEAK);
  let children = 0;
  const sample = () => {
    const resident = treeOf(parentOfMany)
      .slice(1)
      .map((pid) => statusMib(pid, "VmRSS"));
    children = Math.max(
      children,
      resident.reduce((sum, mib) => sum + mib, 0),
    );
  };
  const timer = setInterval(sample, SAMPLE_MS);
  return {
    stop(): Record<Name | "children", number> {
      clearInterval(timer);
      const peaks = Object.fromEntries(names.map((name) => [name, statusMib(pids[name], "VmHWM")]));
      return { ...peaks, children } as Record<Name | "children", number>;
    },
  };
}

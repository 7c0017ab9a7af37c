import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import type { Bench, Figure } from "./bench.ts";

const GIB = 2 ** 30;

export function machineOf({ ffmpeg, quick }: Bench) {
  return {
    cores: availableParallelism(),
    cpu: cpus()[0]?.model ?? "unknown",
    memoryGib: Math.round(totalmem() / GIB),
    load: loadavg()[0] ?? 0,
    ffmpeg: `${ffmpeg.version} (${ffmpeg.source})`,
    node: process.version,
    quick,
  };
}

type Machine = ReturnType<typeof machineOf>;

export const machineLine = ({ cores, cpu, memoryGib, load, ffmpeg, node, quick }: Machine): string =>
  `${cores} cores of ${cpu}, ${memoryGib} GiB, load ${load.toFixed(1)} at the end, ffmpeg ${ffmpeg}, Node ${node}${quick ? ", quick" : ""}`;

const amount = (value: number, unit: string) =>
  `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ${unit}`;

const COLUMNS = ["row", "what", "over", "ours", "floor", "ratio", "target", "note"];
/** Figures align right, words left. */
const IS_FIGURE = new Set(["ours", "floor", "ratio", "target"]);

const cellsOf = ({ row, what, over, unit, ours, floor, ratio, target, note = "" }: Figure): string[] => [
  row,
  what,
  over,
  amount(ours, unit),
  amount(floor, unit),
  ratio.toFixed(2),
  target === undefined ? "" : `≤ ${target}${ratio <= target ? "" : " missed"}`,
  note,
];

export function tableOf(figures: Figure[]): string {
  const lines = [COLUMNS, ...figures.map(cellsOf)];
  const widths = COLUMNS.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const aligned = (cell: string, column: number) =>
    IS_FIGURE.has(COLUMNS[column] ?? "")
      ? cell.padStart(widths[column] ?? 0)
      : cell.padEnd(widths[column] ?? 0);
  return lines.map((line) => line.map(aligned).join("  ").trimEnd()).join("\n");
}

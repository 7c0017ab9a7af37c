import type { Ffmpeg } from "../../workers/transcoder/ffmpeg.ts";

/** Context of every row. */
export interface Bench {
  /** Holds sources and copies. Removed at the end. */
  scratch: string;
  /** The ffmpeg that the transcoder chooses. */
  ffmpeg: Ffmpeg;
  /** BENCH_QUICK=1: smaller inputs, for a quick look. */
  quick: boolean;
  say(line: string): void;
}

export type Unit =
  | "s"
  | "ms"
  | "CPU s"
  | "CPU µs"
  | "MiB/s"
  | "MiB"
  | "kB"
  | "requests"
  | "reads"
  | "lines"
  | "$"
  | "points";

/** One line of the table: a figure of ours over one of theirs. */
export interface Figure {
  row: string;
  what: string;
  over: string;
  unit: Unit;
  ours: number;
  floor: number;
  /** Ours over the floor. Higher is worse. */
  ratio: number;
  /** Highest ratio allowed. */
  target?: number;
  note?: string;
}

export type Row = (bench: Bench) => Promise<Figure[]>;

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] = [sorted.at((sorted.length - 1) / 2), sorted[middle]];
  return (low + high) / 2;
}

export const medianOf = <T>(rounds: T[], pick: (round: T) => number): number => median(rounds.map(pick));

/** Range of the rounds, such as "1.20–1.31". */
export function spread(values: number[], digits = 2): string {
  const ends = [Math.min(...values), Math.max(...values)];
  return ends.map((end) => end.toFixed(digits)).join("–");
}

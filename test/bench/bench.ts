import type { Ffmpeg } from "../../workers/transcoder/ffmpeg.ts";

/** What every row gets. */
export interface Bench {
  /** A directory for sources and copies, removed at the end. */
  scratch: string;
  /** The one that the transcoder takes, too. */
  ffmpeg: Ffmpeg;
  /** BENCH_QUICK=1: smaller, for a look. */
  quick: boolean;
  say(line: string): void;
}

export type Unit = "s" | "ms" | "CPU s" | "CPU µs" | "MiB/s" | "MiB";

/** One line of the table: what of ours over what of theirs. */
export interface Figure {
  row: string;
  what: string;
  over: string;
  unit: Unit;
  ours: number;
  floor: number;
  /** Ours over the floor, such that more is worse. */
  ratio: number;
  /** The ratio wanted at most. */
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

/** "1.20–1.31": how far the rounds lie apart. */
export function spread(values: number[], digits = 2): string {
  const ends = [Math.min(...values), Math.max(...values)];
  return ends.map((end) => end.toFixed(digits)).join("–");
}

import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/** A file is turned at this size, and with the first look of a day (UTC). */
const ROTATE_AT_BYTES = 20 * 1024 * 1024;
const LOOK_EACH_MS = 10_000;

/** Older files beside the current one: `worker.log.1` is the newest. They name people's addresses, so none grows old. */
const KEPT_FILES = 14;
const KEPT_DAYS = 14;

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

const DAY_MS = 24 * 3600_000;

/** Number of the day since 1970, in UTC. */
const dayOf = (ms: number) => Math.floor(ms / DAY_MS);

/** Gives each older file the next number, so that the first is free, and removes what is too old. */
function shiftOlder(path: string): void {
  const older = readdirSync(dirname(path))
    .flatMap((name) => {
      const [, number] = name.startsWith(`${basename(path)}.`) ? (/\.(\d+)$/.exec(name) ?? []) : [];
      return number ? [{ file: join(dirname(path), name), number: Number(number) }] : [];
    })
    .sort((one, other) => other.number - one.number);
  for (const { file, number } of older) {
    const isOld = Date.now() - statSync(file).mtimeMs > KEPT_DAYS * DAY_MS;
    if (number >= KEPT_FILES || isOld) rmSync(file);
    else renameSync(file, `${path}.${number + 1}`);
  }
}

/** Decides when a file is turned. After a pause it goes on from the day of the last line. */
class Turns {
  readonly #path: string;
  readonly #rotateAtBytes: number;
  #day: number;

  constructor(path: string, rotateAtBytes: number) {
    this.#path = path;
    this.#rotateAtBytes = rotateAtBytes;
    mkdirSync(dirname(path), { recursive: true });
    this.#day = dayOf(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  }

  isDue(bytes: number): boolean {
    const today = dayOf(Date.now());
    const isNewDay = today !== this.#day;
    this.#day = today;
    return bytes > this.#rotateAtBytes || (isNewDay && bytes > 0);
  }

  turn(): void {
    if (!existsSync(this.#path)) return;
    shiftOlder(this.#path);
    renameSync(this.#path, `${this.#path}.1`);
  }

  /** Serves a program that keeps the file open. Half a copy would take the last room of a full disk, which it may need. */
  empty(): void {
    const copy = `${this.#path}.1`;
    shiftOlder(this.#path);
    try {
      copyFileSync(this.#path, copy);
    } catch {
      rmSync(copy, { force: true });
    }
    truncateSync(this.#path);
  }
}

/**
 * Opens a log for a child process, which cannot switch files. Rotation copies and empties the file, so lines
 * written in between are lost. `close` stops the checks.
 */
export function openLogFile(
  path: string,
  { rotateAtBytes = ROTATE_AT_BYTES, lookEachMs = LOOK_EACH_MS } = {},
): { file: number; close(): void } {
  const turns = new Turns(path, rotateAtBytes);
  if (turns.isDue(sizeOf(path))) turns.turn();
  const file = openSync(path, "a", 0o600);
  const timer = setInterval(() => {
    try {
      if (turns.isDue(sizeOf(path))) turns.empty();
    } catch {
      // The directory may be gone.
    }
  }, lookEachMs).unref();
  return { file, close: () => clearInterval(timer) };
}

/** Drops lines if the disk is full or the directory is gone. Logging never ends a service. */
export function lineWriter(path: string, { rotateAtBytes = ROTATE_AT_BYTES } = {}): (line: string) => void {
  const turns = new Turns(path, rotateAtBytes);
  let bytes = sizeOf(path);
  return (line) => {
    try {
      if (turns.isDue(bytes)) {
        turns.turn();
        bytes = 0;
      }
      appendFileSync(path, `${line}\n`, { mode: 0o600 });
      bytes += Buffer.byteLength(line) + 1;
    } catch {}
  };
}

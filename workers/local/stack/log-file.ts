import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import { dirname } from "node:path";

/** One older file remains beside the current one. */
const ROTATE_AT_BYTES = 20 * 1024 * 1024;
const LOOK_EACH_MS = 10_000;

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

const turn = (path: string) => existsSync(path) && renameSync(path, `${path}.1`);

function prepare(path: string, rotateAtBytes: number): void {
  mkdirSync(dirname(path), { recursive: true });
  if (sizeOf(path) > rotateAtBytes) turn(path);
}

/** Half a copy would take the last room of a full disk, which the log's program may need. */
function copyIfRoom(path: string): void {
  const copy = `${path}.1`;
  try {
    copyFileSync(path, copy);
  } catch {
    rmSync(copy, { force: true });
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
  prepare(path, rotateAtBytes);
  const file = openSync(path, "a", 0o600);
  const timer = setInterval(() => {
    try {
      if (sizeOf(path) <= rotateAtBytes) return;
      copyIfRoom(path);
      truncateSync(path);
    } catch {
      // The directory may be gone.
    }
  }, lookEachMs).unref();
  return { file, close: () => clearInterval(timer) };
}

/** Drops lines if the disk is full or the directory is gone. Logging never ends a service. */
export function lineWriter(path: string, { rotateAtBytes = ROTATE_AT_BYTES } = {}): (line: string) => void {
  prepare(path, rotateAtBytes);
  let bytes = sizeOf(path);
  return (line) => {
    try {
      if (bytes > rotateAtBytes) {
        turn(path);
        bytes = 0;
      }
      appendFileSync(path, `${line}\n`, { mode: 0o600 });
      bytes += Buffer.byteLength(line) + 1;
    } catch {}
  };
}

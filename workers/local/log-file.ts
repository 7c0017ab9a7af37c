import { appendFileSync, existsSync, mkdirSync, openSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** One older file is kept. */
const ROTATE_AT_BYTES = 20 * 1024 * 1024;

function prepare(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (existsSync(path) && statSync(path).size > ROTATE_AT_BYTES) renameSync(path, `${path}.1`);
}

/** For a child process to write to by itself. */
export function openLogFile(path: string): number {
  prepare(path);
  return openSync(path, "a", 0o600);
}

/** A full disk, or a directory that was deleted under us, is no reason for a service to end: the line is lost. */
export function lineWriter(path: string): (line: string) => void {
  prepare(path);
  return (line) => {
    try {
      appendFileSync(path, `${line}\n`, { mode: 0o600 });
    } catch {}
  };
}

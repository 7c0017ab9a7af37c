import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** The file to which plays are appended. Files that are ready to be counted have a number, in order of age. */
const OPEN = "open.ndjson";
const DIGITS = 12;
const NUMBERED = /^\d+\.ndjson$/;

/**
 * Keeps plays in files of a directory, a line each, until they are counted. The system has the line when `add` returns,
 * so it outlives every process of ours.
 */
export function openSpool(directory: string) {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = (name: string) => join(directory, name);
  const [left, remains] = filesIn(directory);
  let last = Number.parseInt(left.at(-1) ?? "0", 10);
  let waiting = left;
  let file = remains ? openSync(path(OPEN), "a", 0o600) : undefined;

  const close = () => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  return {
    add(play: object): void {
      file ??= openSync(path(OPEN), "a", 0o600);
      // Begins a line, because the last may have been cut off. Throws unless all of it is written.
      writeFileSync(file, `\n${JSON.stringify(play)}`);
    },
    /** Lists the files to count, oldest first. Later plays go to another file. */
    toCount(): string[] {
      if (file !== undefined) {
        close();
        const name = `${String(++last).padStart(DIGITS, "0")}.ndjson`;
        renameSync(path(OPEN), path(name));
        waiting = [...waiting, name];
      }
      return waiting;
    },
    /** A line is cut off where the disk was full. */
    read: (name: string): unknown[] => readFileSync(path(name), "utf8").split("\n").flatMap(parsed),
    forget(name: string): void {
      rmSync(path(name), { force: true });
      waiting = waiting.filter((one) => one !== name);
    },
    close,
  };
}

function filesIn(directory: string): [numbered: string[], hasOpen: boolean] {
  const names = readdirSync(directory).sort();
  return [names.filter((name) => NUMBERED.test(name)), names.includes(OPEN)];
}

function parsed(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

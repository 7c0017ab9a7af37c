import { closeSync, fsyncSync, openSync, renameSync, writeSync } from "node:fs";

/** Readable by the owner only. Readers see the old text or the new, never a part. */
export function writePrivateFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}.draft`;
  const file = openSync(draft, "w", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}

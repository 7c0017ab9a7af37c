import { renameSync, rmSync, writeFileSync } from "node:fs";

/** Readable by the owner only. Readers see the old text or the new, never a part. */
export function writePrivateFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}.draft`;
  try {
    // A single write may take a part without an error when the disk gets full. This one goes on until all is written.
    writeFileSync(draft, text, { mode: 0o600, flush: true });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

import { statfsSync } from "node:fs";

/** Bytes. Databases fail with less. Small disks keep a twentieth free instead. */
const MIN_FREE_BYTES = 64 * 1024 * 1024;
const MIN_FREE_SHARE = 1 / 20;

/** Whether every disk under the directories has free space. Missing directories are ignored. */
export const hasRoom = (directories: readonly string[]): boolean =>
  directories.every((directory) => {
    try {
      const { bavail, blocks, bsize } = statfsSync(directory);
      return bavail * bsize >= Math.min(MIN_FREE_BYTES, blocks * bsize * MIN_FREE_SHARE);
    } catch {
      return true;
    }
  });

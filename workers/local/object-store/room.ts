import { statfsSync } from "node:fs";

/** Bytes. With less than that a database soon writes no more; of a small disk it is a twentieth. */
const MIN_FREE_BYTES = 64 * 1024 * 1024;
const MIN_FREE_SHARE = 1 / 20;

/** Whether all disks that the directories lie on can take more. One that is not there yet has no say. */
export const hasRoom = (directories: readonly string[]): boolean =>
  directories.every((directory) => {
    try {
      const { bavail, blocks, bsize } = statfsSync(directory);
      return bavail * bsize >= Math.min(MIN_FREE_BYTES, blocks * bsize * MIN_FREE_SHARE);
    } catch {
      return true;
    }
  });

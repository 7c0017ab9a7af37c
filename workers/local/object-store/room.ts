import { accessSync, constants, statfsSync } from "node:fs";

/** Bytes. Databases fail with less. Small disks keep a twentieth free instead. */
const MIN_FREE_BYTES = 64 * 1024 * 1024;
const MIN_FREE_SHARE = 1 / 20;

/** Bytes that fit under the directories before a disk is nearly full. Missing directories are ignored. */
export const roomIn = (directories: readonly string[]): number =>
  Math.min(
    ...directories.map((directory) => {
      try {
        const { bavail, blocks, bsize } = statfsSync(directory);
        return bavail * bsize - Math.min(MIN_FREE_BYTES, blocks * bsize * MIN_FREE_SHARE);
      } catch {
        return Number.POSITIVE_INFINITY;
      }
    }),
  );

/** Whether a directory is on a file system that takes no writes, as Linux makes one whose disk fails. */
export function isReadOnly(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EROFS";
  }
}

/** Whether every disk under the directories takes writes and has free space. */
export const hasRoom = (directories: readonly string[]): boolean =>
  !directories.some(isReadOnly) && roomIn(directories) >= 0;

/** Shares the room among writes that run at once. Gives `undefined` to one that does not fit. */
export function shareRoom(room: () => number) {
  let claimedBytes = 0;
  return (bytes: number) => {
    if (claimedBytes + bytes > room()) return undefined;
    claimedBytes += bytes;
    let leftBytes = bytes;
    const wrote = (some: number) => {
      leftBytes -= some;
      claimedBytes -= some;
    };
    return { wrote, release: () => wrote(leftBytes) };
  };
}

import { existsSync, renameSync, rmSync } from "node:fs";

/** Directories beside a database while another version takes it over. */
export const placesOf = (directory: string) => ({
  /** The new one, while it is filled. */
  draft: `${directory}.upgrade`,
  /** The new one, once all of it is on the disk. */
  ready: `${directory}.upgraded`,
  /** The old one, until its operator removes it. */
  former: (major: number) => `${directory}.from-${major}`,
});

/** Puts the new database into the old one's place, which has to be empty for a moment: two renames are not one. */
export function swap(directory: string, madeBy: number): void {
  const { ready, former } = placesOf(directory);
  renameSync(directory, former(madeBy));
  renameSync(ready, directory);
}

/** Ends what a killed upgrade left: between the renames the new database counts, before them the old one. */
export function finishUpgrade(directory: string): void {
  const { draft, ready } = placesOf(directory);
  rmSync(draft, { recursive: true, force: true });
  if (!existsSync(ready)) return;
  if (!existsSync(directory)) {
    renameSync(ready, directory);
    return;
  }
  // Renamed first: half of it must never be taken for whole.
  renameSync(ready, draft);
  rmSync(draft, { recursive: true });
}

import type { Item, Phase } from "./upload-item.ts";

/** The files that are being uploaded. They belong to the module, so they go on while the site swaps pages. */
export const items: Item[] = [];

export const isUnder =
  (...phases: Phase[]) =>
  (item: Item): boolean =>
    phases.includes(item.phase);

export const isMoving = isUnder("waiting", "sending", "joining", "creating");
export const isHalted = isUnder("paused", "stalled");

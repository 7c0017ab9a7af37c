import type { Kept } from "../kept.ts";

/** Every kept select, for the migrator. */
export const KEPT: readonly Pick<Kept<never, unknown>, "made">[] = [];

import type { Kept } from "../kept.ts";
import { showTracks } from "./show-tracks.ts";

/** Every kept select, for the migrator. */
export const KEPT: readonly Pick<Kept<never, unknown>, "made">[] = [showTracks];

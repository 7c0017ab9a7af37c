import type { Kept } from "../kept.ts";
import { showPlaylists } from "./show-playlists.ts";
import { showTracks } from "./show-tracks.ts";
import { showUsers } from "./show-users.ts";

/** Every kept select, for the migrator. */
export const KEPT: readonly Pick<Kept<never, unknown>, "made">[] = [showPlaylists, showTracks, showUsers];

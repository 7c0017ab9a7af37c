import type { Kept } from "../kept.ts";
import { chosenActivities } from "./activities.ts";
import { feedPosts } from "./feed.ts";
import { mediaOfUrl, waveformOfUrl } from "./media.ts";
import { entriesOfPlaylists } from "./playlist-entries.ts";
import { showComments, showTrackComments } from "./show-comments.ts";
import { showPlaylists } from "./show-playlists.ts";
import { showTracks } from "./show-tracks.ts";
import { showUsers } from "./show-users.ts";

/** Every kept select, for the migrator. */
export const KEPT: readonly Pick<Kept<never, unknown>, "made">[] = [
  chosenActivities,
  feedPosts,
  mediaOfUrl,
  entriesOfPlaylists,
  showComments,
  showPlaylists,
  showTrackComments,
  showTracks,
  showUsers,
  waveformOfUrl,
];

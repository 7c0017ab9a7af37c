import type { StoredSelect } from "../stored-select.ts";
import { chosenActivities } from "./activities.ts";
import { feedPosts } from "./feed.ts";
import { mediaOfUrl, waveformOfUrl } from "./media.ts";
import { entriesOfPlaylists } from "./playlist-entries.ts";
import { showEpisode, showEpisodes } from "./podcast-pages.ts";
import { showComments, showTrackComments } from "./show-comments.ts";
import { showPlaylists } from "./show-playlists.ts";
import { showTracks } from "./show-tracks.ts";
import { showUsers } from "./show-users.ts";

/** Every stored select, for the migrator. */
export const STORED_SELECTS: readonly Pick<StoredSelect<never, unknown>, "made">[] = [
  chosenActivities,
  feedPosts,
  mediaOfUrl,
  entriesOfPlaylists,
  showComments,
  showEpisode,
  showEpisodes,
  showPlaylists,
  showTrackComments,
  showTracks,
  showUsers,
  waveformOfUrl,
];

/**
 * Read-only functions, which need no deadline. They are declared STABLE, so PostgreSQL refuses their writes. A test
 * compares this list with the database.
 */
export const READS: ReadonlySet<string> = new Set(
  `discover_tracks embedded_sounds
  find_cached_playlist
  find_favorite find_media
  find_page find_playlist_secret
  find_waveform
  list_playlist_tracks list_playlists list_related_tracks
  list_sets_for_track
  show_page`.split(/\s+/),
);

/**
 * Those that a replica may answer, up to ten seconds late for everybody but the writer. Credentials, operators and jobs
 * are not among them, nor is `find_media`: its answers are kept for 55 of the 60 seconds in which a takedown must hold.
 */
export const REPLICATED: ReadonlySet<string> = new Set(
  `discover_tracks embedded_sounds find_cached_playlist
  find_favorite find_page
  find_waveform list_playlist_tracks list_playlists
  list_related_tracks list_sets_for_track
  show_page`.split(/\s+/),
);

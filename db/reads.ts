/**
 * Read-only functions, which need no deadline. They are declared STABLE, so PostgreSQL refuses their writes. A test
 * compares this list with the database.
 */
export const READS: ReadonlySet<string> = new Set(
  `discover_tracks embedded_sounds
  find_cached_playlist
  find_favorite
  find_page find_playlist_secret
  list_playlist_tracks list_playlists list_related_tracks
  list_sets_for_track
  show_page`.split(/\s+/),
);

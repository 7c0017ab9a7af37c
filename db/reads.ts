/**
 * Read-only functions, which need no deadline. They are declared STABLE, so PostgreSQL refuses their writes. A test
 * compares this list with the database.
 */
export const READS: ReadonlySet<string> = new Set(
  `discover_tracks embedded_sounds find_page list_related_tracks show_page`.split(/\s+/),
);

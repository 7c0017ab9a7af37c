/**
 * Read-only functions, which need no deadline. They are declared STABLE, so PostgreSQL refuses their writes. A test
 * compares this list with the database.
 */
export const READS: ReadonlySet<string> = new Set(
  `list_related_tracks`.split(/\s+/),
);

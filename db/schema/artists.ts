/** Parts that somebody can have in a track: DDEX's and the Podcast Taxonomy's, in plain words. */
export const ARTIST_ROLES = [
  "main",
  "featured",
  "remixer",
  "performer",
  "composer",
  "lyricist",
  "arranger",
  "producer",
  "engineer",
  "host",
  "guest",
  "narrator",
] as const;
export type ArtistRole = (typeof ARTIST_ROLES)[number];

/** An artist of a track as its owner wrote it. */
export interface StoredArtist {
  name: string;
  role: ArtistRole;
  /** The user whom the owner means. A page links the name once that user accepts. */
  user_id?: number;
}

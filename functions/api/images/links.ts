import { apiUrl, type Links } from "../../lib/http/links.ts";

/** Replaces a missing version. */
export const DEFAULT_AVATAR = "avatar-default";

/** The columns of a track or a set. */
export interface Artwork {
  artwork_version: string | null;
  /** Null for pictures of earlier releases, which have no WebP formats either. */
  artwork_colors: string | null;
}

/** Address of the `large` format. Clients substitute other formats for that word, so it appears only once. */
const imageUrl = (links: Links, version: string): string => apiUrl(links, `/images/${version}-large.jpg`);

export const avatarUrl = (links: Links, version: string | null): string =>
  imageUrl(links, version ?? DEFAULT_AVATAR);

/** Names the picture's colours too, so that pages need not look them up. */
export const artworkUrl = (links: Links, { artwork_version, artwork_colors }: Artwork): string | null =>
  artwork_version &&
  imageUrl(links, artwork_colors ? `${artwork_version}-${artwork_colors}` : artwork_version);

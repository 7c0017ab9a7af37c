import { apiUrl, type Links } from "../../lib/http/links.ts";
import type { FORMATS } from "./formats.ts";

/** Replaces a missing version. */
export const DEFAULT_AVATAR = "avatar-default";

/** The columns of a track or a set. */
export interface Artwork {
  artwork_version: string | null;
  /** Null for pictures of earlier releases, which have no WebP formats either. */
  artwork_colors: string | null;
}

/** Address of a chapter's picture. Programs show it as large as the screen. */
export const chapterPictureUrl = (
  links: Links,
  version: string,
  format: keyof typeof FORMATS.chapter = "t1000x1000",
): string => apiUrl(links, `/images/${version}-${format}.jpg`);

/** The version of a chapter's picture, by an address of it. `undefined` for any other address. */
export function chapterPictureIn(links: Links, url: string): string | undefined {
  const base = apiUrl(links, "/images/");
  return url.startsWith(base)
    ? /^([0-9a-f]{32})-[0-9a-z]+\.jpg$/.exec(url.slice(base.length))?.[1]
    : undefined;
}

/** Address of the `large` format. Clients substitute other formats for that word, so it appears only once. */
const imageUrl = (links: Links, version: string): string => apiUrl(links, `/images/${version}-large.jpg`);

export const avatarUrl = (links: Links, version: string | null): string =>
  imageUrl(links, version ?? DEFAULT_AVATAR);

/** Names the picture's colours too, so that pages need not look them up. */
export const artworkUrl = (links: Links, { artwork_version, artwork_colors }: Artwork): string | null =>
  artwork_version &&
  imageUrl(links, artwork_colors ? `${artwork_version}-${artwork_colors}` : artwork_version);

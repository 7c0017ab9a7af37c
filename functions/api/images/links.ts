import { apiUrl, type Links } from "../../lib/http/links.ts";

/** Replaces a missing version. */
export const DEFAULT_AVATAR = "avatar-default";

/** Address of the `large` format. Clients substitute other formats for that word, so it appears only once. */
const imageUrl = (links: Links, version: string): string => apiUrl(links, `/images/${version}-large.jpg`);

export const avatarUrl = (links: Links, version: string | null): string =>
  imageUrl(links, version ?? DEFAULT_AVATAR);

export const artworkUrl = (links: Links, version: string | null): string | null =>
  version && imageUrl(links, version);

import { apiUrl, type Links } from "../http/links.ts";

/** Stands for a version where there is none. */
export const DEFAULT_AVATAR = "avatar-default";

/** Of the `large` format. Clients replace that word by another format's name, so it stands nowhere else in the path. */
const imageUrl = (links: Links, version: string): string => apiUrl(links, `/images/${version}-large.jpg`);

export const avatarUrl = (links: Links, version: string | null): string =>
  imageUrl(links, version ?? DEFAULT_AVATAR);

export const artworkUrl = (links: Links, version: string | null): string | null =>
  version && imageUrl(links, version);

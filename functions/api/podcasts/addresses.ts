import { type Links, webUrl } from "../../lib/http/links.ts";
import type { TranscriptFormat } from "./transcript-files.ts";

/** URLs that podcast programs store. A former permalink redirects, so they last as long as their resource. */

/** `secret` opens a private set or track. */
const within = (path: string, secret: string | undefined, file: string): string =>
  [path, ...(secret ? [secret] : []), file].join("/");

interface FeedAddress {
  /** Permalink of the user. */
  user: string;
  /** Permalink of a set; null for the user's own feed. */
  set: string | null;
  secret?: string | undefined;
}

export const feedUrl = (links: Links, { user, set, secret }: FeedAddress): string =>
  webUrl(links, within(set === null ? `/${user}` : `/${user}/sets/${set}`, secret, "feed.xml"));

export interface TrackAddress {
  /** Permalinks. */
  owner: string;
  permalink: string;
  secret?: string | undefined;
}

/** Ends in the track's own name: programs that name files by their URL take equal names for the same episode. */
export const enclosureUrl = (links: Links, { owner, permalink, secret }: TrackAddress): string =>
  webUrl(links, within(`/${owner}/${permalink}`, secret, `${permalink}.mp3`));

export const chaptersUrl = (links: Links, { owner, permalink, secret }: TrackAddress): string =>
  webUrl(links, within(`/${owner}/${permalink}`, secret, "chapters.json"));

export const transcriptUrl = (
  links: Links,
  { owner, permalink, secret }: TrackAddress,
  format: TranscriptFormat,
): string => webUrl(links, within(`/${owner}/${permalink}`, secret, `transcript.${format}`));

import type { ArtistRow } from "../../../../db/queries/track-rows.ts";
import { avatarUrl } from "../../../api/images/links.ts";
import type { ArtistRole } from "../../../api/tracks/artists.ts";
import { type Links, webUrl } from "../../../lib/http/links.ts";
import { escapeXml } from "../../../lib/text/xml.ts";
import { inFormat } from "../../embed/representation.ts";

const MUSIC = { group: "audio post-production", role: "music contributor" };

/** Groups and roles of the Podcast Taxonomy: https://podcasttaxonomy.com */
const TAXONOMY: Record<ArtistRole, { group: string; role: string }> = {
  main: MUSIC,
  featured: MUSIC,
  remixer: { group: "audio post-production", role: "music production" },
  performer: MUSIC,
  composer: { group: "audio post-production", role: "composer" },
  lyricist: { group: "writing", role: "songwriter" },
  arranger: MUSIC,
  producer: { group: "creative direction", role: "producer" },
  engineer: { group: "audio production", role: "audio engineer" },
  host: { group: "cast", role: "host" },
  guest: { group: "cast", role: "guest" },
  narrator: { group: "cast", role: "narrator" },
};

/** Characters of a name: https://podcasting2.org/podcast-namespace/tags/person */
const LONGEST = 128;

/** Names a credited artist for podcast programs, with the profile of a user who accepted. */
export function person(links: Links, { name, role, user }: ArtistRow): string {
  const attributes = {
    ...TAXONOMY[role],
    ...(user && {
      img: inFormat(avatarUrl(links, user.avatar_version), "t300x300"),
      href: webUrl(links, `/${user.permalink}`),
    }),
  };
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  return `<podcast:person${written.join("")}>${escapeXml(name.slice(0, LONGEST).toWellFormed())}</podcast:person>`;
}

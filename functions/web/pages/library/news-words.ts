import type { NewsGroup } from "../../../../db/queries/news.ts";
import type { NewsKind } from "../../../../db/queries/news-events.ts";
import type { ArtistRole } from "../../../api/tracks/artists.ts";
import { number } from "../../../ui/words.ts";
import { ROLE_NAMES } from "../own/artist-fields.tsx";

/** Names of the kinds of news, as choices. */
export const KIND_NAMES: Record<NewsKind, string> = {
  comments: "Comments and replies",
  followers: "New followers",
  likes: "Likes and reposts",
  tracks:
    "New tracks and sets of people you follow, tracks shared with you, and tracks that name you as an artist",
};

/** More people than this are two names and a number. */
const NAMED = 3;

/** Joins the parts of “Ana, Ben and 12 others”. */
export function peopleOf<Part>(names: Part[], people: number): (Part | string)[] {
  const isMany = people > NAMED;
  const shown: (Part | string)[] = isMany ? names.slice(0, 2) : [...names];
  if (isMany) shown.push(`${number(people - shown.length)} others`);
  const last = shown.length - 1;
  return shown.flatMap((part, at) => (at === 0 ? part : [at === last ? " and " : ", ", part]));
}

/** The verb, before the title of a track, a set or a podcast. */
export function didOf({ kind, set, credit }: Pick<NewsGroup, "kind" | "set" | "credit">): string {
  const your = set ? (set.is_podcast ? "your podcast" : "your set") : "your track";
  switch (kind) {
    case "like":
      return `liked ${your}`;
    case "repost":
      return `reposted ${your}`;
    case "comment":
      return "commented on your track";
    case "reply":
      return "replied to you on";
    case "share":
      return "shared a track with you:";
    case "credit":
      return `named you as ${partsOf(credit?.roles ?? [])} of`;
    case "release":
      return "published";
    default:
      return "followed you";
  }
}

/** “and 2 more”, after the title of the latest publication. */
export const moreOf = ({ kind, things }: Pick<NewsGroup, "kind" | "things">): string | undefined =>
  kind === "release" && things > 1 ? `and ${number(things - 1)} more` : undefined;

/** The parts that somebody has in a track: “producer and remixer”. */
export function partsOf(roles: { role: ArtistRole }[]): string {
  const names = [...new Set(roles.map(({ role }) => ROLE_NAMES[role].toLowerCase()))];
  const last = names.pop() ?? "artist";
  return names.length ? `${names.join(", ")} and ${last}` : last;
}

/** Leads to a comment among those of its thread. */
export const commentPath = (path: string, { id }: { id: number }): string =>
  `${path}?thread=${id}#comment-${id}`;

/** The path of what a group is about. `undefined` for followers. */
export function subjectPath({ track, set }: Pick<NewsGroup, "track" | "set">): string | undefined {
  if (track) return `/${track.owner_permalink}/${track.permalink}`;
  return set ? `/${set.owner_permalink}/sets/${set.permalink}` : undefined;
}

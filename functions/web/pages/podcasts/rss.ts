import type { FeedContent, FeedItem } from "../../../../db/queries/podcast-feed.ts";
import { artworkUrl, avatarUrl } from "../../../api/images/links.ts";
import { waveformUrl } from "../../../api/media/links.ts";
import {
  chaptersUrl,
  enclosureUrl,
  feedUrl,
  type TrackAddress,
  transcriptUrl,
} from "../../../api/podcasts/addresses.ts";
import { chaptersIn } from "../../../api/podcasts/chapters.ts";
import { guidOf } from "../../../api/podcasts/guid.ts";
import { TRANSCRIPT_FORMATS, TRANSCRIPT_TYPES } from "../../../api/podcasts/transcript-files.ts";
import type { Env } from "../../../lib/http/env.ts";
import { apiUrl, type Links, urn, webUrl } from "../../../lib/http/links.ts";
import { beginningInBytes, textOf, textOfBeginning } from "../../../lib/text/plain-text.ts";
import { escapeXml } from "../../../lib/text/xml.ts";
import { pictureOf } from "../../embed/covers.ts";
import { inFormat } from "../../embed/representation.ts";
import { person } from "./persons.ts";
import { transcriptType } from "./transcript.ts";

/** RSS 2.0 with the tags of Apple (https://podcasters.apple.com/support/823) and Podcasting 2.0. */
const NAMESPACES = [
  'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"',
  'xmlns:podcast="https://podcastindex.org/namespace/1.0"',
  'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
  'xmlns:atom="http://www.w3.org/2005/Atom"',
].join(" ");

/** Apple's limit for descriptions: https://podcasters.apple.com/support/823 */
const DESCRIPTION_BYTES = 4_000;

/** Defaults for fields that the owner left empty. */
const UNSAID = { category: "Music", language: "en", explicit: false, podcast_type: "episodic" } as const;

interface Feed extends FeedContent {
  modifiedAt: string;
  /** The secret token that opened a private set. */
  secret: string | undefined;
}

/** Returns "" for an absent text. */
const tag = (name: string, text: string | number | null | undefined): string =>
  text === null || text === undefined || text === "" ? "" : `<${name}>${escapeXml(String(text))}</${name}>`;

const empty = (name: string, attributes: Record<string, string | number>): string =>
  `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`)
    .join("")}/>`;

/** Addresses, and the keys that sign those of drawn covers. */
type Signed = Links & Pick<Env, "SIGNING_KEYS">;

export function rss(links: Signed, { channel, items, modifiedAt, secret }: Feed): string {
  const { user, permalink: set, podcast } = channel;
  const said = podcast ?? UNSAID;
  const page = { user: user.permalink, set };
  const path = set === null ? `/${user.permalink}` : `/${user.permalink}/sets/${set}`;
  const link = webUrl(links, channel.private && secret ? `${path}/${secret}` : path);
  const image = inFeed(channelPicture(links, channel));
  const about = set === null ? channel.description : textOf(channel.description ?? "");
  const owner = podcast?.owner_email;
  const isMusic = podcast === null;
  return [
    `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" ${NAMESPACES}>\n<channel>`,
    tag("title", channel.title),
    tag("link", link),
    empty("atom:link", {
      href: feedUrl(links, { ...page, secret }),
      rel: "self",
      type: "application/rss+xml",
    }),
    tag(
      "description",
      (about && beginningInBytes(about, DESCRIPTION_BYTES)) || `${channel.title} by ${user.username}`,
    ),
    tag("language", said.language),
    tag("lastBuildDate", date(modifiedAt)),
    tag("generator", "Soundpost"),
    `<image>${tag("url", image)}${tag("title", channel.title)}${tag("link", link)}</image>`,
    tag("itunes:author", podcast?.author ?? user.username),
    tag("itunes:type", said.podcast_type),
    tag("itunes:explicit", String(said.explicit)),
    category(said.category),
    empty("itunes:image", { href: image }),
    owner &&
      `<itunes:owner>${tag("itunes:name", podcast?.owner_name ?? user.username)}${tag("itunes:email", owner)}</itunes:owner>`,
    channel.private && `${tag("itunes:block", "Yes")}${tag("podcast:block", "yes")}`,
    tag("podcast:guid", guidOf(channel.guid, feedUrl(links, page))),
    locked(podcast),
    tag("itunes:new-feed-url", podcast?.new_feed_url),
    tag("podcast:medium", isMusic ? "music" : "podcast"),
    ...items.map((item) =>
      entry(links, item, { explicit: said.explicit, image: channel.artwork_version && image, secret }),
    ),
    "</channel>\n</rss>\n",
  ]
    .filter(Boolean)
    .join("\n");
}

interface OfFeed {
  explicit: boolean;
  /** The artwork of the set, which stands for tracks without their own. */
  image: string | null;
  secret: string | undefined;
}

function entry(links: Signed, item: FeedItem, feed: OfFeed): string {
  const { owner, permalink, episode } = item;
  const secret = item.private ? feed.secret : undefined;
  const at = { owner, permalink, secret };
  const page = webUrl(links, ["", owner, permalink, ...(secret ? [secret] : [])].join("/"));
  const words = item.is_cut ? `${textOfBeginning(item.description ?? "")} …` : textOf(item.description ?? "");
  const text = beginningInBytes(words, DESCRIPTION_BYTES);
  return [
    "<item>",
    tag("title", item.title),
    tag("link", page),
    // An episode that moved in keeps its guid, or programs would download it again.
    `<guid isPermaLink="false">${escapeXml(episode?.guid ?? urn(links, "tracks", item.superseded_id ?? item.id))}</guid>`,
    tag("pubDate", date(item.published_at)),
    tag("description", text || item.title),
    tag("content:encoded", item.is_cut ? null : item.description && withLines(item.description)),
    empty("enclosure", { url: enclosureUrl(links, at), length: item.bytes, type: "audio/mpeg" }),
    tag("itunes:author", item.artist),
    ...(item.artists ?? []).map((artist) => person(links, artist)),
    tag("itunes:duration", Math.round(item.duration_ms / 1000)),
    tag("itunes:explicit", String(episode?.explicit ?? feed.explicit)),
    empty("itunes:image", { href: inFeed(itemPicture(links, item, feed.image)) }),
    tag("itunes:season", episode?.season),
    tag("itunes:episode", episode?.number),
    tag("itunes:episodeType", episode?.episode_type ?? "full"),
    (item.has_chapters || chaptersIn(item.description, item.duration_ms).length > 0) &&
      empty("podcast:chapters", { url: chaptersUrl(links, at), type: "application/json+chapters" }),
    ...transcripts(links, item, at),
    "</item>",
  ]
    .filter(Boolean)
    .join("\n");
}

/** Files of the transcript that is kept here, in each format that programs read; else the one elsewhere. */
function transcripts(links: Links, { transcript, episode }: FeedItem, at: TrackAddress): string[] {
  const url = episode?.transcript_url;
  if (!transcript) return url ? [empty("podcast:transcript", { url, type: transcriptType(url) })] : [];
  return TRANSCRIPT_FORMATS.map((format) =>
    empty("podcast:transcript", {
      url: transcriptUrl(links, at, format),
      type: TRANSCRIPT_TYPES[format],
      ...(transcript.language !== null && { language: transcript.language }),
    }),
  );
}

/** Without an address nobody could contact the owner, so that the podcast could never move. */
const locked = (podcast: FeedContent["channel"]["podcast"]): string =>
  podcast?.owner_email
    ? `<podcast:locked owner="${escapeXml(podcast.owner_email)}">${podcast.locked ? "yes" : "no"}</podcast:locked>`
    : tag("podcast:locked", "no");

/** `Arts > Design` is a subcategory. */
function category(name: string): string {
  const [outer = "", inner] = name.split(" > ");
  if (inner === undefined) return empty("itunes:category", { text: outer });
  return `<itunes:category text="${escapeXml(outer)}">${empty("itunes:category", { text: inner })}</itunes:category>`;
}

/** A description without markup keeps its line breaks on the page. Programs show it as HTML. */
const withLines = (html: string): string => (html.includes("<") ? html : html.replace(/\r?\n/g, "<br />\n"));

const inFeed = (address: string): string => inFormat(address, "t1400x1400");

/** The artwork of the set; else, in a person's feed, their avatar; else a drawing. */
function channelPicture(links: Links, { set_id, user, ...channel }: FeedContent["channel"]): string {
  if (set_id === null && user.avatar_version) return avatarUrl(links, user.avatar_version);
  return artworkUrl(links, channel) ?? apiUrl(links, `/images/pattern-${set_id ?? user.id}-large.png`);
}

/** The artwork of the track; else of the set; else the drawing of its sound. */
const itemPicture = (links: Signed, item: FeedItem, ofSet: string | null): string =>
  artworkUrl(links, item) ??
  ofSet ??
  pictureOf({
    kind: "track",
    id: item.id,
    uri: apiUrl(links, `/tracks/${item.id}`),
    artwork_url: null,
    waveform_url: waveformUrl(links, { ...item, growing: null }),
  });

/** RFC 822. */
const date = (instant: string): string => new Date(instant).toUTCString();

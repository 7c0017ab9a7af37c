import type { Item, Show } from "../../../db/schema/podcast-imports.ts";
import { EPISODE_TYPES } from "../../../db/schema/podcasts.ts";
import { isWebAddress } from "../../lib/text/fields.ts";
import { foreignLine, foreignText } from "../../lib/text/foreign-text.ts";
import { CATEGORIES } from "../podcasts/categories.ts";
import { Guid, Language, MAX_NAME, MAX_NUMBER, OwnerEmail } from "../podcasts/fields.ts";
import { type FeedElement, parseFeed } from "./feed-xml.ts";

export interface ReadEpisode {
  guid: string;
  title: string;
  published_at: string | null;
  size: number | null;
  item: Item;
}

export interface ReadFeed {
  show: Show;
  episodes: ReadEpisode[];
  /** Texts in which a proof of ownership may stand. */
  proofs: string[];
}

/** Characters. The columns of tracks and sets hold no more. */
const MAX_TITLE = 200;
const MAX_GUID = 1_000;
const MAX_URL = 2_000;
const MAX_NOTES = 200_000;

export function readFeed(xml: string): ReadFeed {
  const episodes: ReadEpisode[] = [];
  const channel = parseFeed(xml, (item) => episodes.push(readItem(item)));
  return { show: readShow(channel), episodes: dated(episodes), proofs: readProofs(channel) };
}

function readShow(channel: FeedElement): Show {
  const owner = channel.all("itunes:owner")[0];
  const locked = channel.all("podcast:locked")[0];
  const email = locked?.attributes.owner || owner?.firstText("itunes:email");
  return {
    title: foreignLine(channel.firstText("title", "itunes:title"), MAX_TITLE) ?? "Untitled podcast",
    description: notesIn(channel),
    author: foreignLine(channel.firstText("itunes:author"), MAX_NAME),
    owner_name: foreignLine(owner?.firstText("itunes:name"), MAX_NAME),
    owner_email: OwnerEmail.safeParse(email?.trim()).data ?? null,
    category: readCategory(channel),
    language: readLanguage(channel.firstText("language")),
    explicit: flagOf(channel.firstText("itunes:explicit")) ?? false,
    podcast_type: channel.firstText("itunes:type")?.toLowerCase() === "serial" ? "serial" : "episodic",
    guid: Guid.safeParse(channel.firstText("podcast:guid")).data ?? null,
    image_url: address(
      channel.attribute("itunes:image", "href") ?? channel.all("image")[0]?.firstText("url"),
    ),
    locked: locked?.text.trim().toLowerCase() === "yes",
  };
}

const notesIn = (element: FeedElement): string | null =>
  foreignText(element.firstText("content:encoded", "description", "itunes:summary") ?? "", MAX_NOTES) || null;

const readProofs = (channel: FeedElement): string[] => [
  ...channel.all("podcast:txt").map(({ text }) => text),
  ...["description", "itunes:summary", "content:encoded"].flatMap((name) =>
    channel.all(name).map(({ text }) => text),
  ),
];

function readItem(item: FeedElement): ReadEpisode {
  const enclosure = item.all("enclosure").find(({ attributes }) => attributes.url);
  const audioUrl = address(enclosure?.attributes.url);
  const length = Number(enclosure?.attributes.length);
  const type = item.firstText("itunes:episodeType")?.toLowerCase();
  const published = Date.parse(item.firstText("pubDate", "dc:date") ?? "");
  const title = foreignLine(item.firstText("title", "itunes:title"), MAX_TITLE) ?? "Untitled";
  return {
    guid: foreignLine(item.firstText("guid"), MAX_GUID) ?? audioUrl ?? title,
    title,
    published_at: Number.isNaN(published) ? null : new Date(published).toISOString(),
    size: Number.isSafeInteger(length) && length > 0 ? length : null,
    item: {
      notes: notesIn(item),
      audio_url: audioUrl,
      audio_type: foreignLine(enclosure?.attributes.type, 100),
      season: countOf(item.firstText("itunes:season", "podcast:season")),
      number: countOf(item.firstText("itunes:episode", "podcast:episode")),
      explicit: flagOf(item.firstText("itunes:explicit")),
      episode_type: EPISODE_TYPES.find((known) => known === type) ?? null,
      image_url: address(item.attribute("itunes:image", "href")),
      chapters_url: address(item.attribute("podcast:chapters", "url")),
      transcript_url: transcriptOf(item),
    },
  };
}

/** Formats with times come first. */
const TRANSCRIPTS = [
  "text/vtt",
  "application/x-subrip",
  "application/srt",
  "application/json",
  "text/html",
  "text/plain",
];

function transcriptOf(item: FeedElement): string | null {
  const found = item.all("podcast:transcript");
  const best =
    TRANSCRIPTS.map((type) => found.find(({ attributes }) => attributes.type === type)).find(Boolean) ??
    found[0];
  return address(best?.attributes.url);
}

/** An episode without a date takes that of its neighbour in the feed, so that it keeps its place. */
function dated(episodes: ReadEpisode[]): ReadEpisode[] {
  let last = episodes.find(({ published_at }) => published_at)?.published_at ?? new Date(0).toISOString();
  return episodes.map((episode) => {
    last = episode.published_at ?? last;
    return { ...episode, published_at: last };
  });
}

const address = (text: string | undefined): string | null => {
  const url = URL.parse(text?.trim() ?? "");
  if (!url || url.href.length > MAX_URL) return null;
  url.hash = "";
  return isWebAddress(url.href) ? url.href : null;
};

const countOf = (text: string | undefined): number | null => {
  const count = Number(text);
  return Number.isInteger(count) && count >= 1 && count <= MAX_NUMBER ? count : null;
};

function flagOf(text: string | undefined): boolean | null {
  const word = text?.toLowerCase() ?? "";
  if (["true", "yes", "explicit"].includes(word)) return true;
  return ["false", "no", "clean"].includes(word) ? false : null;
}

/** `en_us` and `EN-US` are common. */
function readLanguage(text = "en"): string {
  const [language = "", ...rest] = text.trim().replaceAll("_", "-").split("-");
  const written = [
    language.toLowerCase(),
    ...rest.map((part) => (part.length === 2 ? part.toUpperCase() : part)),
  ];
  return Language.safeParse(written.join("-")).data ?? Language.safeParse(written[0]).data ?? "en";
}

/** Directories require a category that Apple knows. The owner may choose another. */
const UNKNOWN_CATEGORY = "Society & Culture";

function readCategory(channel: FeedElement): string {
  const named = channel.all("itunes:category").flatMap((outer) => {
    const name = outer.attributes.text?.trim() ?? "";
    const inner = outer.attribute("itunes:category", "text");
    return inner ? [`${name} > ${inner}`, name] : [name];
  });
  return (
    CATEGORIES.find((category) => named[0] === category) ??
    named.find((name) => CATEGORIES.includes(name)) ??
    UNKNOWN_CATEGORY
  );
}

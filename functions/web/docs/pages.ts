/** A page of prose. Its text is `guides/<name>.md`; the heading above it is the title. */
export interface Guide {
  name: string;
  title: string;
  /** One sentence, for lists of pages. */
  summary: string;
  /** Words that people search for and that the page does not use. */
  alsoCalled?: string;
}

export const START: readonly Guide[] = [
  { name: "quick-start", title: "Quick start", summary: "From nothing to your first sound in a minute." },
];

export const GUIDES: readonly Guide[] = [
  {
    name: "tokens",
    title: "Tokens",
    summary: "Get, send, refresh and end access tokens.",
    alsoCalled: "authentication login log in api key OAuth CORS",
  },
  {
    name: "upload",
    title: "Upload",
    summary: "Send audio in one request, or large files in parts.",
    alsoCalled: "multipart transcode encode album release batch bulk",
  },
  {
    name: "artwork",
    title: "Artwork",
    summary: "Covers, avatars, their sizes and their colours.",
    alsoCalled: "cover image picture photo thumbnail",
  },
  {
    name: "schedule",
    title: "Publish later",
    summary: "Give a track or a whole release the time when it appears.",
    alsoCalled: "schedule scheduled release date embargo premiere",
  },
  { name: "play", title: "Play", summary: "Streams, previews, downloads and counted plays." },
  {
    name: "find",
    title: "Search",
    summary: "Find tracks, playlists and users, also as one types.",
    alsoCalled: "query autocomplete typeahead",
  },
  { name: "comments", title: "Comments", summary: "Talk about a moment of a track, in threads." },
  {
    name: "embed",
    title: "Embed",
    summary: "Put a player into any page.",
    alsoCalled: "widget iframe",
  },
  {
    name: "webhooks",
    title: "Webhooks",
    summary: "Hear of events, and check that they are ours.",
    alsoCalled: "SSE server-sent EventSource stream events resume real-time push verify signature HMAC",
  },
  {
    name: "podcasts",
    title: "Podcasts",
    summary: "Shows, episodes, chapters and transcripts.",
    alsoCalled: "captions subtitles lyrics",
  },
  { name: "feeds", title: "Feeds", summary: "Podcasts, the home feed and activities." },
  {
    name: "insights",
    title: "Insights",
    summary: "What became of your tracks, over time and by where.",
    alsoCalled: "statistics stats analytics metrics reports",
  },
  { name: "paging", title: "Paging", summary: "Read lists of any length.", alsoCalled: "pagination" },
  { name: "private-links", title: "Private links", summary: "Share a track with the few who have its link." },
  {
    name: "limits",
    title: "Limits",
    summary: "Sizes, budgets, and what to do at 429.",
    alsoCalled: "rate limiting quota throttle throttling",
  },
  { name: "errors", title: "Errors", summary: "Each error, its cause, and what to do next." },
  {
    name: "typescript-client",
    title: "TypeScript client",
    summary: "Install the typed client that fits this service, or generate one in another language.",
    alsoCalled:
      "SDK library npm JavaScript Node React mobile iOS Android Swift Kotlin Java C# Go Rust Ruby PHP",
  },
  { name: "older-clients", title: "Older clients", summary: "What keeps working, and until when." },
];

export const LAST: readonly Guide[] = [
  { name: "changelog", title: "Changelog", summary: "What changed for clients, newest first." },
];

export const PAGES: readonly Guide[] = [...START, ...GUIDES, ...LAST];

export const guidePath = ({ name }: Pick<Guide, "name">): string => `/docs/${name}`;
export const tagPath = (tag: string): string => `/docs/reference/${tag}`;
export const SCHEMAS_PATH = "/docs/reference/schemas";

const TAG_TITLES: Record<string, string> = { oauth: "Authorization", oembed: "oEmbed", me: "You" };

export const tagTitle = (tag: string): string =>
  TAG_TITLES[tag] ?? tag.charAt(0).toUpperCase() + tag.slice(1);

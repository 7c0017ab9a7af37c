import type { FeedContent } from "../../../../db/queries/podcast-feed.ts";

const UNUSED = "0".repeat(32);

/** Plain text, longer than a feed may show. */
const LONG_TEXT = `Line\n${"音".repeat(1_400)}`;

const ITEM = {
  id: 1,
  superseded_id: null,
  title: "Title",
  permalink: "track",
  description: "<p>0:00 Begin</p><p>0:05 Go on</p>",
  is_cut: false,
  artwork_version: null,
  artwork_colors: null,
  state: "finished" as const,
  sharing: "private" as const,
  media_prefix: `t/1/${"0".repeat(8)}-0000-0000-0000-${"0".repeat(12)}/`,
  secret_hash: UNUSED,
  owner: "user",
  artists: [{ name: "Guest", role: "guest" as const, user: null, state: null }],
  artist: "Artist",
  private: true,
  duration_ms: 10_000,
  published_at: "2000-01-01T00:00:00Z",
  bytes: 1,
  episode: {
    track_id: 1,
    explicit: true,
    season: 1,
    number: 1,
    episode_type: "bonus" as const,
    guid: "episode-1",
    transcript_url: "https://example.com/1.vtt",
  },
  transcript: null,
  has_chapters: false,
};

/** A feed with every possible field. Its text reflects this service's format and hosts. */
export const SAMPLE: FeedContent & { modifiedAt: string; secret: string } = {
  modifiedAt: "2000-01-01T00:00:00Z",
  secret: "s-sample",
  channel: {
    title: "Title",
    permalink: "set",
    description: "<p>Text</p>",
    private: true,
    artwork_version: null,
    artwork_colors: null,
    guid: null,
    set_id: null,
    user: { id: 1, permalink: "user", username: "User", avatar_version: null },
    podcast: {
      author: "Author",
      owner_name: "Owner",
      owner_email: "owner@example.com",
      category: "Arts > Design",
      language: "en",
      explicit: false,
      podcast_type: "serial",
      locked: true,
      new_feed_url: "https://example.com/feed.xml",
      guid: null,
    },
  },
  items: [
    ITEM,
    { ...ITEM, description: LONG_TEXT },
    { ...ITEM, description: "Words <a", is_cut: true },
    { ...ITEM, transcript: { track_id: 1, language: "en" }, has_chapters: true },
  ],
};

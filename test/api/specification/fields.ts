import * as z from "zod";
import {
  Access,
  EmbeddableBy,
  License,
  Sharing,
  State,
  TrackType,
} from "../../../functions/api/tracks/vocabulary.ts";

/** Read-only, writable, or accepted on upload only and never returned. */
type Accessed = "RO" | "RW" | "WO";

/** A row of a property table. `write` is the value that an update sends and reads back. */
export type Field = [name: string, access: Accessed, type: z.ZodType, write?: unknown];

const Id = z.int().positive();
const Text = z.string().min(1);
const Count = z.int().min(0);
const Timestamp = z.string().regex(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d \+0000$/);
const Jpeg = z.url().regex(/\.jpg(\?|$)/);
const Milliseconds = Count;

/** A URL below the given prefix of the service. */
const at = (prefix: string, path: RegExp) =>
  z.url().refine((url) => url.startsWith(prefix) && path.test(url.slice(prefix.length)));

const miniUser = (api: string, web: string) =>
  z.looseObject({
    id: Id,
    kind: z.literal("user"),
    permalink: Text,
    username: Text,
    uri: at(api, /^\/users\/\d+$/),
    permalink_url: at(web, /^\/[^/]+$/),
    avatar_url: Jpeg,
  });

const miniApp = (api: string, web: string) =>
  z.looseObject({
    id: Id,
    name: Text,
    uri: at(api, /^\/apps\/\d+$/),
    permalink_url: at(web, /^\/apps\/[^/]+$/),
  });

/** `label` is a user's id. */
export function tables(api: string, web: string, label: number): Record<string, Field[]> {
  const [MiniUser, MiniApp] = [miniUser(api, web), miniApp(api, web)];
  const user: Field[] = [
    ["id", "RO", Id],
    ["permalink", "RO", Text],
    ["username", "RW", Text, `Written ${label}`],
    ["uri", "RO", at(api, /^\/users\/\d+$/)],
    ["permalink_url", "RO", at(web, /^\/[^/]+$/)],
    ["avatar_url", "RO", Jpeg],
    ["country", "RO", Text],
    ["full_name", "RO", Text],
    ["city", "RO", Text],
    ["description", "RW", Text, "Sings & plays"],
    ["discogs_name", "RO", Text],
    ["myspace_name", "RO", Text],
    ["website", "RW", z.url(), "https://example.com/written"],
    ["website_title", "RW", Text, "Written"],
    ["online", "RO", z.boolean()],
    ["track_count", "RO", Count],
    ["playlist_count", "RO", Count],
    ["followers_count", "RO", Count],
    ["followings_count", "RO", Count],
    ["public_favorites_count", "RO", Count],
    ["avatar_data", "WO", z.undefined()],
  ];
  /** Fields that tracks and playlists share. */
  const shared = (kind: string, page: RegExp): Field[] => [
    ["id", "RO", Id],
    ["created_at", "RO", Timestamp],
    ["user_id", "RO", Id],
    ["user", "RO", MiniUser],
    ["title", "RW", Text, "Written"],
    ["permalink", "RO", Text],
    ["permalink_url", "RO", at(web, page)],
    ["uri", "RO", at(api, new RegExp(`^/${kind}/\\d+$`))],
    ["sharing", "RW", Sharing, "private"],
    ["embeddable_by", "RW", EmbeddableBy, "me"],
    ["purchase_url", "RW", z.url(), "https://shop.example.com/written"],
    ["artwork_url", "RO", Jpeg],
    ["description", "RW", Text, "<b>Written</b>"],
    ["label", "RO", MiniUser],
    ["label_name", "RW", Text, "Written Records"],
    ["duration", "RO", Milliseconds],
    ["genre", "RW", Text, "Written"],
    ["tag_list", "RW", Text, 'one "two words" geo:lat=52.5 my:key="a value"'],
    ["release", "RW", Text, "W-1"],
    ["release_day", "RW", z.int(), 7],
    ["release_month", "RW", z.int(), 8],
    ["release_year", "RW", z.int(), 2019],
    ["license", "RW", License, "cc-by-sa"],
  ];
  return {
    user,
    me: [
      ...user,
      ["plan", "RO", Text],
      ["private_tracks_count", "RO", Count],
      ["private_playlists_count", "RO", Count],
      ["primary_email_confirmed", "RO", z.boolean()],
    ],
    track: [
      ...shared("tracks", /^\/[^/]+\/[^/]+$/),
      ["kind", "RO", z.literal("track")],
      ["label_id", "RW", Id, label],
      ["streamable", "RW", z.boolean(), false],
      ["downloadable", "RW", z.boolean(), false],
      ["state", "RO", State],
      ["track_type", "RW", TrackType, "spoken"],
      ["waveform_url", "RO", z.url().regex(/\.png(\?|$)/)],
      ["download_url", "RO", at(api, /^\/tracks\/\d+\/download$/)],
      ["stream_url", "RO", at(api, /^\/tracks\/\d+\/stream$/)],
      ["video_url", "RW", z.url(), "https://video.example.com/written"],
      ["bpm", "RW", z.number(), 98.5],
      ["commentable", "RW", z.boolean(), false],
      ["isrc", "RW", Text, "DEAB12345678"],
      ["key_signature", "RW", Text, "F# minor"],
      ["comment_count", "RO", Count],
      ["download_count", "RO", Count],
      ["playback_count", "RO", Count],
      ["favoritings_count", "RO", Count],
      ["original_format", "RO", Text],
      ["original_content_size", "RO", Count],
      ["asset_data", "WO", z.undefined()],
      ["artwork_data", "WO", z.undefined()],
      ["user_favorite", "RO", z.boolean()],
      ["attachments_uri", "RO", at(api, /^\/tracks\/\d+\/attachments$/)],
      ["created_with", "RO", MiniApp],
      ["metadata_artist", "RW", Text, "The Written"],
      ["purchase_title", "RW", Text, "Buy it"],
      ["access", "RO", Access],
    ],
    playlist: [
      ...shared("playlists", /^\/[^/]+\/sets\/[^/]+$/),
      ["kind", "RO", z.literal("playlist")],
      ["label_id", "RW", Id, label],
      ["track_count", "RO", Count],
      ["tracks", "RW", z.array(z.looseObject({ id: Id, kind: z.literal("track") })).min(1)],
      ["streamable", "RO", z.boolean()],
      ["downloadable", "RO", z.boolean()],
      ["ean", "RW", Text, "4006381333931"],
      ["playlist_type", "RW", Text, "sample pack"],
      ["type", "RO", Text],
      ["purchase_title", "RW", Text, "Buy it"],
    ],
    comment: [
      ["id", "RO", Id],
      ["uri", "RO", at(api, /^\/comments\/\d+$/)],
      ["created_at", "RO", Timestamp],
      ["body", "RW", Text, "<b>Written</b>"],
      ["timestamp", "RW", Milliseconds, 1500],
      ["user_id", "RO", Id],
      ["user", "RO", MiniUser],
      ["track_id", "RO", Id],
    ],
    app: [
      ["id", "RO", Id],
      ["kind", "RO", z.literal("app")],
      ["name", "RO", Text],
      ["uri", "RO", at(api, /^\/apps\/\d+$/)],
      ["permalink_url", "RO", at(web, /^\/apps\/[^/]+$/)],
      ["external_url", "RO", z.url()],
      ["creator", "RO", Text],
    ],
  };
}

import * as z from "zod";
import type { TrackRow } from "../../../db/queries/track-rows.ts";
import { SECRET_TOKEN } from "../../lib/http/document/example-secrets.ts";
import type { Env } from "../../lib/http/env.ts";
import { apiUrl, rfc3339, timestamp, urn, webUrl } from "../../lib/http/links.ts";
import {
  CreatedAt,
  kindOf,
  LastModified,
  PublishAt,
  PublishedAt,
  pageUrl,
  resourceId,
  resourceUri,
  resourceUrn,
  UserId,
} from "../../lib/http/reply-fields.ts";
import { unsealBase64 } from "../../lib/security/sealing.ts";
import { about } from "../../lib/text/fields.ts";
import { MiniApp, representMiniApp } from "../apps/representation.ts";
import { artworkUrl } from "../images/links.ts";
import { waveformUrl } from "../media/links.ts";
import { MiniUser, representMiniUser } from "../users/representation.ts";
import { representArtist, TrackArtist } from "./artists.ts";
import { Encoding, representEncoding } from "./encoding.ts";
import { Loudness, representLoudness } from "./loudness.ts";
import { representTakedown, Takedown } from "./takedown.ts";
import { Access, EmbeddableBy, License, Paywall, Sharing, State, TrackType } from "./vocabulary.ts";

const Text = z.string().nullable();
const Count = z.int().min(0);
const Stat = Count.nullable().describe("Null if the owner hides counts.");

export const Track = z
  .strictObject({
    id: resourceId(338914811904001),
    kind: kindOf("track"),
    urn: resourceUrn("tracks:338914811904001"),
    created_at: CreatedAt,
    last_modified: LastModified,
    user_id: UserId,
    user: MiniUser.describe("The user."),
    title: z.string().meta(about("At least one visible character.", "Night Train")),
    permalink: z.string().meta(about("Last part of the page's address; it never changes.", "night-train")),
    permalink_url: pageUrl("ana/night-train"),
    uri: resourceUri("tracks/338914811904001"),
    sharing: Sharing,
    publish_at: PublishAt,
    published_at: PublishedAt,
    embeddable_by: EmbeddableBy,
    purchase_url: Text.meta(
      about("Address for buying. Null if the owner gave none.", "https://shop.example/night-train"),
    ),
    purchase_title: Text.meta(
      about("Label of the link for buying. Null if the owner gave none.", "Buy on vinyl"),
    ),
    artwork_url: Text.meta(
      about(
        "JPEG. Replace `large` with another format's name for another size.",
        "https://api.soundpost.example/images/0f3a-large.jpg",
      ),
    ),
    description: Text.meta(about("HTML. Null if the owner gave none.", "Recorded in one take.")),
    label: MiniUser.nullable().describe("The label's account; null without one."),
    label_id: z.int().nullable().meta(about("The label's user; null without one.", 338914811904777)),
    label_name: Text.meta(about("Label, as text. Null if the owner gave none.", "Night Shift")),
    duration: Count.meta(about("Milliseconds of decoded audio; 0 until it is known.", 215340)),
    loudness: Loudness.nullable().describe("Measured by EBU R128; null until it is known."),
    genre: Text.meta(about("Null if the owner gave none.", "Ambient")),
    tag_list: z
      .string()
      .meta(
        about(
          "Separated by spaces; a tag that contains spaces is in double quotes.",
          'ambient "night drive"',
        ),
      ),
    release: Text.meta(about("Catalogue number. Null if the owner gave none.", "NS-014")),
    release_day: z.int().nullable().meta(about("Day of the release; null if unknown.", 20)),
    release_month: z.int().nullable().meta(about("Month of the release, 1 to 12; null if unknown.", 11)),
    release_year: z.int().nullable().meta(about("Year of the release; null if unknown.", 2026)),
    streamable: z.boolean().meta(about("Whether others may stream it. To others: whether they can.", true)),
    downloadable: z.boolean().meta(about("Whether the owner lets others download the original.", true)),
    state: State,
    license: License,
    track_type: TrackType.nullable(),
    waveform_url: Text.meta(
      about(
        "PNG, 1800 by 280 pixels; the same path with .json holds the samples. Null until finished.",
        "https://api.soundpost.example/media/eyJh.c2ln/waveform.png",
      ),
    ),
    download_url: z
      .url()
      .optional()
      .meta(
        about(
          "The original file. Absent unless you may download it.",
          "https://api.soundpost.example/tracks/338914811904001/download",
        ),
      ),
    original_deleted_at: z
      .string()
      .optional()
      .meta(
        about(
          "Shown to the owner only: when the original file was deleted, in UTC. Absent while it is kept.",
          "2026/12/23 12:00:00 +0000",
        ),
      ),
    stream_url: z
      .url()
      .optional()
      .meta(
        about(
          "Replies with the links to its streams. Absent if access is `blocked`.",
          "https://api.soundpost.example/tracks/338914811904001/stream",
        ),
      ),
    video_url: Text.meta(
      about("Address of a video. Null if the owner gave none.", "https://video.example/night-train"),
    ),
    bpm: z.number().nullable().meta(about("Beats per minute; null if unknown.", 120.5)),
    commentable: z.boolean().meta(about("Whether listeners may comment.", true)),
    reveal_comments: z
      .boolean()
      .meta(about("`false` hides other users' comments and their count from everybody but the owner.", true)),
    reveal_stats: z
      .boolean()
      .meta(about("`false` hides counts, likers and reposters from everybody but the owner.", true)),
    isrc: Text.meta(about("International recording code. Null if the owner gave none.", "DEA123456789")),
    key_signature: Text.meta(about("Null if the owner gave none.", "F# minor")),
    comment_count: Count.nullable().meta(about("Null if the owner hides comments.", 3)),
    download_count: Stat.meta({ example: 12 }),
    playback_count: Stat.meta({ example: 1204 }),
    favoritings_count: Stat.meta({ example: 41 }),
    reposts_count: Stat.meta({ example: 5 }),
    user_playback_count: Count.nullable().meta(
      about("Number of your plays; null without a user's token.", 2),
    ),
    original_format: Text.meta(about("Detected from the content; null until then.", "wav")),
    original_content_size: Count.meta(about("Bytes.", 37982144)),
    attachments_uri: z
      .url()
      .meta(
        about(
          "List of the track's attachments.",
          "https://api.soundpost.example/tracks/338914811904001/attachments",
        ),
      ),
    created_with: MiniApp.optional().describe("The app that uploaded it; absent if none did."),
    metadata_artist: z
      .string()
      .meta(about("Artist to show; the uploader's username unless another was given.", "Ana Torres")),
    artists: z.array(TrackArtist).describe("Credited artists in their order, beside `metadata_artist`."),
    user_favorite: z.boolean().optional().meta(about("With a user's token only.", false)),
    access: Access,
    available_country_codes: z
      .array(z.string())
      .nullable()
      .meta(
        about("Countries where the track plays, as ISO 3166-1 alpha-2; null means everywhere.", ["DE", "FR"]),
      ),
    secret_token: z
      .string()
      .optional()
      .meta(about("Shown to the owner only. Absent while it is removed.", SECRET_TOKEN)),
    secret_uri: z
      .url()
      .optional()
      .meta(
        about(
          "Shown to the owner only.",
          "https://api.soundpost.example/tracks/338914811904001?secret_token=s-8Kq2bTzY1wN4vRj7LmXc3D",
        ),
      ),
    paywall: Paywall.nullable().optional().describe("Shown to the owner only."),
    encoding: Encoding.optional().describe("Shown to the owner only."),
    takedown: Takedown.optional().describe(
      "Shown to the owner only, while an operator keeps the track down. It is `private` and `blocked` meanwhile, and nobody else sees it.",
    ),
  })
  .meta({ id: "Track" });
export type Track = z.infer<typeof Track>;

/** Represents a row with this deployment's addresses and keys. */
export function representTrack(env: Env, track: TrackRow): Track {
  const uri = apiUrl(env, `/tracks/${track.id}`);
  const secret = track.secret_sealed && !track.takedown ? unsealBase64(env, track.secret_sealed) : undefined;
  // The specification wants the token in the owner's links.
  const secretQuery = secret && track.sharing === "private" ? `?secret_token=${secret}` : "";
  const app = track.created_with;
  return {
    id: track.id,
    kind: "track",
    urn: urn(env, "tracks", track.id),
    created_at: timestamp(track.created_at),
    last_modified: timestamp(track.updated_at),
    user_id: track.user_id,
    user: representMiniUser(track.user, env),
    title: track.title,
    permalink: track.permalink,
    permalink_url: webUrl(env, `/${track.user.permalink}/${track.permalink}`),
    uri,
    sharing: track.sharing,
    publish_at: track.publish_at && rfc3339(track.publish_at),
    published_at: track.published_at && rfc3339(track.published_at),
    embeddable_by: track.embeddable_by,
    purchase_url: track.purchase_url,
    purchase_title: track.purchase_title,
    artwork_url: artworkUrl(env, track),
    description: track.description,
    label: track.label && representMiniUser(track.label, env),
    label_id: track.label_id,
    label_name: track.label_name,
    duration: track.duration_ms ?? 0,
    loudness: representLoudness(track.loudness),
    genre: track.genre,
    tag_list: track.tag_list,
    release: track.release,
    release_day: track.release_day,
    release_month: track.release_month,
    release_year: track.release_year,
    // Clients from before `access` read this.
    streamable: track.owned ? track.streamable : track.access !== "blocked",
    downloadable: track.downloadable,
    state: track.state,
    license: License.parse(track.license),
    track_type: track.track_type === null ? null : TrackType.parse(track.track_type),
    waveform_url: track.takedown ? null : waveformUrl(env, track),
    ...(track.original_deleted_at !== null && { original_deleted_at: timestamp(track.original_deleted_at) }),
    ...(isDownloadable(track) && { download_url: `${uri}/download${secretQuery}` }),
    ...(track.access !== "blocked" && { stream_url: `${uri}/stream${secretQuery}` }),
    video_url: track.video_url,
    bpm: track.bpm,
    commentable: track.commentable,
    reveal_comments: track.reveal_comments,
    reveal_stats: track.reveal_stats,
    isrc: track.isrc,
    key_signature: track.key_signature,
    original_format: track.original_format,
    original_content_size: track.original_content_size,
    attachments_uri: `${uri}/attachments`,
    ...(app && { created_with: representMiniApp(app, env) }),
    metadata_artist: track.artist ?? track.user.username,
    artists: track.artists?.map((artist) => representArtist(artist, env)) ?? [],
    access: track.access,
    available_country_codes: track.available_country_codes,
    ...(secret && { secret_token: secret, secret_uri: `${uri}?secret_token=${secret}` }),
    ...(track.owned && { paywall: track.paywall }),
    ...(track.encoding && { encoding: representEncoding(track.encoding) }),
    ...(track.takedown && { takedown: representTakedown(track.takedown) }),
    ...representCounts(track),
  };
}

/** Represents the counts and whether the viewer likes the track. */
function representCounts(track: TrackRow) {
  const stat = (count: number) => (track.owned || track.reveal_stats ? count : null);
  return {
    comment_count: track.owned || track.reveal_comments ? track.comment_count : null,
    download_count: stat(track.download_count),
    playback_count: stat(track.playback_count),
    favoritings_count: stat(track.favoritings_count),
    reposts_count: stat(track.reposts_count),
    user_playback_count: track.user_playback_count,
    ...(track.user_favorite !== null && { user_favorite: track.user_favorite }),
  };
}

/** Owners may always download, but the URL appears only if downloads are allowed. */
const isDownloadable = ({ owned, downloadable, access, state, original_deleted_at }: TrackRow) =>
  downloadable && access === "playable" && (owned || state === "finished") && original_deleted_at === null;

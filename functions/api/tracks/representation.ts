import * as z from "zod";
import type { EncodingRow, TrackRow } from "../../../db/queries/track-rows.ts";
import type { Env } from "../../lib/http/env.ts";
import { apiUrl, timestamp, urn, webUrl } from "../../lib/http/links.ts";
import { unsealBase64 } from "../../lib/security/sealing.ts";
import { artworkUrl } from "../images/links.ts";
import { waveformUrl } from "../media/links.ts";
import { MiniUser, representMiniUser } from "../users/representation.ts";
import { reasonSentence, warningSentence } from "./failures.ts";
import { Loudness, representLoudness } from "./loudness.ts";
import { Access, EmbeddableBy, License, Paywall, Sharing, State, TrackType } from "./vocabulary.ts";

const Text = z.string().nullable();
const Count = z.int().min(0);
const Stat = Count.nullable().describe("Null if the owner hides counts.");

const MiniApp = z
  .strictObject({
    id: z.int(),
    kind: z.literal("app"),
    name: z.string(),
    uri: z.url(),
    permalink_url: z.url(),
    external_url: Text,
  })
  .meta({ id: "MiniApp" });

const Explained = z.strictObject({ code: z.string(), message: z.string() });

const Failure = Explained.extend({
  code: z.string().meta({ examples: ["no_audio_stream"] }),
  message: z.string().meta({ examples: ["The file holds no audio."] }),
});

const Encoding = z
  .strictObject({
    progress: z.number().min(0).max(1).describe("1 if the track is finished."),
    segments_ready: Count.describe("HLS segments that can be played."),
    reason: Failure.nullable()
      .describe("Why the last attempt failed; null if it did not.")
      .meta({ examples: [null] }),
    warnings: z
      .array(Explained)
      .describe(
        "Flaws in the file of a playable track: `decode_errors`, `shorter_than_declared`, `longer_than_declared`, `clipped`.",
      ),
    attempts: Count,
    started_at: Text,
    finished_at: Text,
  })
  .meta({ id: "Encoding" });

export const Track = z
  .strictObject({
    id: z.int(),
    kind: z.literal("track"),
    urn: z.string(),
    created_at: z.string(),
    last_modified: z.string(),
    user_id: z.int(),
    user: MiniUser,
    title: z.string(),
    permalink: z.string(),
    permalink_url: z.url(),
    uri: z.url(),
    sharing: Sharing,
    embeddable_by: EmbeddableBy,
    purchase_url: Text,
    purchase_title: Text,
    artwork_url: Text.describe("JPEG. Replace `large` with another format's name for another size."),
    description: Text,
    label: MiniUser.nullable(),
    label_id: z.int().nullable(),
    label_name: Text,
    duration: Count.describe("Milliseconds of decoded audio; 0 until it is known."),
    loudness: Loudness.nullable().describe("Measured by EBU R128; null until it is known."),
    genre: Text,
    tag_list: z.string(),
    release: Text,
    release_day: z.int().nullable(),
    release_month: z.int().nullable(),
    release_year: z.int().nullable(),
    streamable: z.boolean(),
    downloadable: z.boolean(),
    state: State,
    license: License,
    track_type: TrackType.nullable(),
    waveform_url: Text.describe(
      "PNG, 1800 by 280 pixels; the same path with .json holds the samples. Null until finished.",
    ),
    download_url: z.url().optional(),
    stream_url: z.url().optional(),
    video_url: Text,
    bpm: z.number().nullable(),
    commentable: z.boolean(),
    reveal_comments: z
      .boolean()
      .describe("`false` hides other users' comments and their count from all but the owner."),
    reveal_stats: z.boolean().describe("`false` hides counts, likers and reposters from all but the owner."),
    isrc: Text,
    key_signature: Text,
    comment_count: Count.nullable().describe("Null if the owner hides comments."),
    download_count: Stat,
    playback_count: Stat,
    favoritings_count: Stat,
    reposts_count: Stat,
    user_playback_count: Count.nullable().describe("Number of your plays; null without a user's token."),
    original_format: Text.describe("Detected from the content; null until then."),
    original_content_size: Count.describe("Bytes."),
    attachments_uri: z.url(),
    created_with: MiniApp.optional(),
    metadata_artist: z.string(),
    user_favorite: z.boolean().optional().describe("With a user's token only."),
    access: Access,
    available_country_codes: z.array(z.string()).nullable(),
    secret_token: z.string().optional().describe("Shown to the owner only."),
    secret_uri: z.url().optional().describe("Shown to the owner only."),
    paywall: Paywall.nullable().optional().describe("Shown to the owner only."),
    encoding: Encoding.optional().describe("Shown to the owner only."),
    takedown: z
      .strictObject({
        reason: z.string().describe("The operator's words."),
        created_at: z.string().describe("When it was taken down. UTC, as `yyyy/mm/dd hh:mm:ss +0000`."),
      })
      .meta({ id: "Takedown" })
      .optional()
      .describe(
        "Shown to the owner only, while an operator keeps the track down. It is `private` and `blocked` meanwhile, and nobody else sees it.",
      ),
  })
  .meta({ id: "Track" });
export type Track = z.infer<typeof Track>;

/** Represents a row with this deployment's addresses and keys. */
export const representTrack = (env: Env, track: TrackRow): Track => ({
  ...representBody(env, track),
  ...representCounts(track),
});

type Counts = ReturnType<typeof representCounts>;

/** Represents all fields but counts. */
function representBody(env: Env, track: Omit<TrackRow, keyof Counts>): Omit<Track, keyof Counts> {
  const uri = apiUrl(env, `/tracks/${track.id}`);
  const secret = track.secret_sealed ? unsealBase64(env, track.secret_sealed) : undefined;
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
    embeddable_by: track.embeddable_by,
    purchase_url: track.purchase_url,
    purchase_title: track.purchase_title,
    artwork_url: artworkUrl(env, track.artwork_version),
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
    ...(app && {
      created_with: {
        id: app.id,
        kind: "app",
        name: app.name,
        uri: apiUrl(env, `/apps/${app.id}`),
        permalink_url: webUrl(env, `/apps/${app.permalink}`),
        external_url: app.external_url,
      },
    }),
    metadata_artist: track.artist ?? track.user.username,
    access: track.access,
    available_country_codes: track.available_country_codes,
    ...(secret && { secret_token: secret, secret_uri: `${uri}?secret_token=${secret}` }),
    ...(track.owned && { paywall: track.paywall }),
    ...(track.encoding && { encoding: representEncoding(track.encoding) }),
    ...(track.takedown && {
      takedown: { reason: track.takedown.reason, created_at: timestamp(track.takedown.created_at) },
    }),
  };
}

type Counted = Pick<
  TrackRow,
  | "owned"
  | "reveal_comments"
  | "reveal_stats"
  | "user_favorite"
  | "user_playback_count"
  | "comment_count"
  | "download_count"
  | "playback_count"
  | "favoritings_count"
  | "reposts_count"
>;

/** Represents the counts and the viewer's own favorites and reposts. */
function representCounts(track: Counted) {
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
type Downloaded = Pick<TrackRow, "owned" | "downloadable" | "access" | "state">;
const isDownloadable = ({ owned, downloadable, access, state }: Downloaded) =>
  downloadable && access === "playable" && (owned || state === "finished");

export type Encoding = z.infer<typeof Encoding>;

function representEncoding(encoding: EncodingRow): Encoding {
  return {
    progress: encoding.progress,
    segments_ready: encoding.segments_ready,
    reason: encoding.failure_reason
      ? { code: encoding.failure_reason, message: reasonSentence(encoding.failure_reason) }
      : null,
    warnings: encoding.warnings.map((code) => ({ code, message: warningSentence(code) })),
    attempts: encoding.attempt,
    started_at: encoding.started_at && timestamp(encoding.started_at),
    finished_at: encoding.finished_at && timestamp(encoding.finished_at),
  };
}

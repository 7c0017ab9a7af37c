import * as z from "zod";
import { rowOf } from "../row-shape.ts";
import { ARTIST_ROLES } from "../schema/artists.ts";
import { CREDIT_STATES } from "../schema/credits.ts";
import { takedowns } from "../schema/moderation.ts";
import { apps } from "../schema/people.ts";
import { encodingJobs, tracks } from "../schema/tracks.ts";
import type { ReplyOf } from "../shape.ts";
import { MiniUserRow } from "./people.ts";

export const Access = () => z.enum(["playable", "preview", "blocked"]);
export type Access = ReplyOf<typeof Access>;

/** A credited artist. */
export const ArtistRow = () =>
  z.strictObject({
    name: z.string(),
    role: z.enum(ARTIST_ROLES),
    /** Null if no user is named, or the reader may not know who. */
    user: MiniUserRow().nullable(),
    /** The user's answer, for the owner of the track. */
    state: z.enum(CREDIT_STATES).nullable(),
  });
export type ArtistRow = ReplyOf<typeof ArtistRow>;

/** Media of a running encode. */
export const GrowingMedia = () =>
  z.strictObject({
    media_prefix: z.string(),
    /** 44,100 or 48,000. */
    sample_rate: z.number(),
    /** Whole segments of either rendition, from the first. */
    segments_ready: z.number(),
  });
export type GrowingMedia = ReplyOf<typeof GrowingMedia>;

export const TrackRow = () =>
  rowOf(tracks)
    .omit({
      published_id: true,
      was_public: true,
      permalink_chosen: true,
      app_id: true,
      sanitizer_version: true,
      original_key: true,
      original_filename: true,
      media: true,
      taken_down_at: true,
    })
    .extend({
      created_at: z.string(),
      /** Null for everyone but the owner, and while the original is kept. */
      original_deleted_at: z.string().nullable(),
      /** Time of the first publication. Null if the track was never public. */
      published_at: z.string().nullable(),
      artists: z.array(ArtistRow()).nullable(),
      label: MiniUserRow().nullable(),
      loudness: LoudnessRow().nullable(),
      /** Set while a running encode has segments that can be played. */
      growing: GrowingMedia().nullable(),
      access: Access(),
      owned: z.boolean().nullable(),
      /** Null if no user asks. */
      user_favorite: z.boolean().nullable(),
      /** The caller's plays of the track; null if no user asks. */
      user_playback_count: z.number().nullable(),
      /** Hex. */
      secret_hash: z.string(),
      /** Base64; null for everyone but the owner, like `paywall` and `publish_at`. */
      secret_sealed: z.string().nullable(),
      user: MiniUserRow(),
      created_with: rowOf(apps)
        .pick({ id: true, name: true, permalink: true, external_url: true })
        .nullable(),
      encoding: EncodingRow().nullable(),
      /** Set for the owner while an operator keeps the track down. */
      takedown: rowOf(takedowns).pick({ reason: true, created_at: true }).nullable(),
    });
export type TrackRow = ReplyOf<typeof TrackRow>;

/** EBU R128, part of the transcoder's report. */
export const LoudnessRow = () =>
  z.strictObject({
    /** Null if the audio is silent or too short to measure. */
    integrated_lufs: z.number().nullable(),
    range_lu: z.number().nullable(),
    true_peak_dbtp: z.number().nullable(),
  });
export type LoudnessRow = ReplyOf<typeof LoudnessRow>;

export const EncodingRow = () =>
  rowOf(encodingJobs)
    .pick({
      attempt: true,
      progress: true,
      segments_ready: true,
      started_at: true,
      finished_at: true,
      failure_reason: true,
      failure_retryable: true,
    })
    .extend({
      /** Codes of problems that the transcoder reported. */
      warnings: z.array(z.string()),
    });
export type EncodingRow = ReplyOf<typeof EncodingRow>;

/** Facts of a request that may grant access to a track. */
export interface AccessFacts {
  /** SHA-256 of the request's secret token. */
  secretHash: Uint8Array | undefined;
  /** ISO 3166-1 alpha-2 country of the request. */
  country: string | undefined;
}

/** Converts the facts to parameters of a function. */
export const accessParameters = ({ secretHash, country }: AccessFacts) => ({
  secret_hash: secretHash ?? null,
  country: country ?? null,
});

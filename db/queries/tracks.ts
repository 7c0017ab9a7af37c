import * as z from "zod";
import type { Database } from "../client.ts";
import type { ReplyOf } from "../shape.ts";
import { type Caller, callAs, repeatAs } from "./caller.ts";
import { MiniUserRow } from "./people.ts";

export const Access = () => z.enum(["playable", "preview", "blocked"]);
export type Access = ReplyOf<typeof Access>;
export const TrackState = () => z.enum(["processing", "failed", "finished"]);
export type TrackState = ReplyOf<typeof TrackState>;

export const TrackRow = () =>
  z.strictObject({
    id: z.number(),
    user_id: z.number(),
    created_at: z.string(),
    updated_at: z.string(),
    title: z.string(),
    permalink: z.string(),
    artist: z.string().nullable(),
    description: z.string().nullable(),
    genre: z.string().nullable(),
    tag_list: z.string(),
    track_type: z.string().nullable(),
    license: z.string(),
    label_id: z.number().nullable(),
    label_name: z.string().nullable(),
    label: MiniUserRow().nullable(),
    release: z.string().nullable(),
    release_day: z.number().nullable(),
    release_month: z.number().nullable(),
    release_year: z.number().nullable(),
    isrc: z.string().nullable(),
    bpm: z.number().nullable(),
    key_signature: z.string().nullable(),
    purchase_url: z.string().nullable(),
    purchase_title: z.string().nullable(),
    video_url: z.string().nullable(),
    artwork_version: z.string().nullable(),
    sharing: z.enum(["public", "private"]),
    embeddable_by: z.enum(["all", "me", "none"]),
    streamable: z.boolean(),
    downloadable: z.boolean(),
    commentable: z.boolean(),
    reveal_comments: z.boolean(),
    reveal_stats: z.boolean(),
    available_country_codes: z.array(z.string()).nullable(),
    state: TrackState(),
    original_format: z.string().nullable(),
    original_content_size: z.number(),
    duration_ms: z.number().nullable(),
    /** Set with `finished`, like `duration_ms`. */
    media_prefix: z.string().nullable(),
    loudness: LoudnessRow().nullable(),
    comment_count: z.number(),
    download_count: z.number(),
    playback_count: z.number(),
    favoritings_count: z.number(),
    reposts_count: z.number(),
    access: Access(),
    owned: z.boolean().nullable(),
    /** Null if no user asks. */
    user_favorite: z.boolean().nullable(),
    /** The caller's plays of the track; null if no user asks. */
    user_playback_count: z.number().nullable(),
    /** Null for everyone but the owner. */
    paywall: z.enum(["preview", "blocked"]).nullable(),
    /** Hex. */
    secret_hash: z.string(),
    /** Base64; null for everyone but the owner. */
    secret_sealed: z.string().nullable(),
    user: MiniUserRow(),
    created_with: z
      .strictObject({
        id: z.number(),
        name: z.string(),
        permalink: z.string(),
        external_url: z.string().nullable(),
      })
      .nullable(),
    encoding: EncodingRow().nullable(),
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
  z.strictObject({
    progress: z.number(),
    failure_reason: z.string().nullable(),
    failure_retryable: z.boolean().nullable(),
    /** Codes from a finished track's report. */
    warnings: z.array(z.string()),
    attempt: z.number(),
    started_at: z.string().nullable(),
    finished_at: z.string().nullable(),
  });
export type EncodingRow = ReplyOf<typeof EncodingRow>;

/** Facts of a request that may grant access to a track. */
export interface AccessFacts {
  /** SHA-256 of the request's secret token. */
  secretHash: Uint8Array | undefined;
  /** ISO 3166-1 alpha-2 country of the request. */
  country: string | undefined;
}

/** Converts them to parameters of a function. */
export const accessParameters = ({ secretHash, country }: AccessFacts) => ({
  secret_hash: secretHash ?? null,
  country: country ?? null,
});

/** `track` is null if it does not exist or is hidden from this caller; replies do not distinguish the two. */
export const findTrack = (db: Database, caller: Caller, id: number, facts: AccessFacts) =>
  callAs(
    db,
    "find_track",
    () =>
      z.strictObject({
        track: TrackRow().nullable(),
      }),
    caller,
    { id, ...accessParameters(facts) },
  );

/** Fields that depend on the reader or change often. */
export const TrackNow = () =>
  TrackRow().pick({
    access: true,
    user_favorite: true,
    user_playback_count: true,
    comment_count: true,
    download_count: true,
    playback_count: true,
    favoritings_count: true,
    reposts_count: true,
  });
export type TrackNow = ReplyOf<typeof TrackNow>;

/** Fields that are the same for all readers but the owner, until the version changes. */
export const TrackBody = () =>
  TrackRow().omit({
    access: true,
    user_favorite: true,
    user_playback_count: true,
    comment_count: true,
    download_count: true,
    playback_count: true,
    favoritings_count: true,
    reposts_count: true,
    owned: true,
    paywall: true,
    secret_hash: true,
    secret_sealed: true,
    encoding: true,
  });
export type TrackBody = ReplyOf<typeof TrackBody>;

/**
 * A public track of another user, `body` null if that version is cached; `state` identifies all of it. `same` if the
 * reader already has that state. `track` as in `findTrack`, if it cannot be cached.
 */
export const TrackReading = () =>
  z.union([
    z.strictObject({
      version: z.string(),
      state: z.string(),
      now: TrackNow(),
      body: TrackRow().nullable(),
    }),
    z.strictObject({
      same: z.literal(true),
    }),
    z.strictObject({
      track: TrackRow().nullable(),
    }),
  ]);
export type TrackReading = ReplyOf<typeof TrackReading>;

/** Finds a track. `known` is the version or state that the isolate has cached. */
export const readTrack = (
  db: Database,
  caller: Caller,
  id: number,
  facts: AccessFacts,
  known: string | undefined,
) =>
  callAs(db, "find_cached_track", TrackReading, caller, {
    id,
    ...accessParameters(facts),
    known: known ?? null,
  });

export interface NewTrack {
  uploadId: number;
  /** Columns that the owner may write. */
  fields: Record<string, unknown>;
  /** Preferred permalink, made unique among the owner's. */
  permalink: string;
  secretHash: Uint8Array;
  secretSealed: Uint8Array;
}

/** Fields that contradict each other or the database. */
export const TrackFault = () => z.enum(["unknown_label", "no_such_date"]);
export type TrackFault = ReplyOf<typeof TrackFault>;

export const TrackCreation = () =>
  z.union([
    z.strictObject({
      outcome: z.enum(["created", "exists"]),
      track: TrackRow(),
    }),
    z.strictObject({
      outcome: z.union([z.literal("unknown_upload"), TrackFault()]),
    }),
    z.strictObject({
      outcome: z.literal("not_ready"),
      status: z.string(),
    }),
  ]);
export type TrackCreation = ReplyOf<typeof TrackCreation>;

/** Creates track and job and uses up the upload, in one transaction. The same upload again returns the first track. */
export const createTrack = (db: Database, caller: Caller, track: NewTrack) =>
  repeatAs(db, "create_track", TrackCreation, caller, {
    upload: track.uploadId,
    track: track.fields,
    permalink: track.permalink,
    secret_hash: track.secretHash,
    secret_sealed: track.secretSealed,
  });

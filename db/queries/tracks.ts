import type { Database } from "../client.ts";
import { bytea, type Caller, callAs, repeatAs } from "./caller.ts";
import type { MiniUserRow } from "./people.ts";

export type Access = "playable" | "preview" | "blocked";
export type TrackState = "processing" | "failed" | "finished";

/** What the transcoder reported of a finished track. */
export interface Media {
  /** Samples per channel at `sample_rate`, as decoded. */
  frames: number;
  /** 44,100 or 48,000. */
  sample_rate: number;
  renditions: {
    aac_160: HlsRendition;
    aac_96: HlsRendition;
    mp3_128: { bytes: number; part_bytes: number };
    preview_mp3_128: { bytes: number };
  };
}

export interface HlsRendition {
  /** Bits per second: the highest of any segment, and over the whole. */
  bandwidth: number;
  average_bandwidth: number;
  /** RFC 6381. */
  codecs: string;
}

export interface TrackRow {
  id: number;
  user_id: number;
  created_at: string;
  updated_at: string;
  title: string;
  permalink: string;
  artist: string | null;
  description: string | null;
  genre: string | null;
  tag_list: string;
  track_type: string | null;
  license: string;
  label_id: number | null;
  label_name: string | null;
  label: MiniUserRow | null;
  release: string | null;
  release_day: number | null;
  release_month: number | null;
  release_year: number | null;
  isrc: string | null;
  bpm: number | null;
  key_signature: string | null;
  purchase_url: string | null;
  purchase_title: string | null;
  video_url: string | null;
  artwork_version: string | null;
  sharing: "public" | "private";
  embeddable_by: "all" | "me" | "none";
  streamable: boolean;
  downloadable: boolean;
  commentable: boolean;
  reveal_comments: boolean;
  reveal_stats: boolean;
  available_country_codes: string[] | null;
  state: TrackState;
  original_format: string | null;
  original_content_size: number;
  duration_ms: number | null;
  /** Set with `finished`, as `duration_ms` is. */
  media_prefix: string | null;
  comment_count: number;
  download_count: number;
  playback_count: number;
  favoritings_count: number;
  reposts_count: number;
  access: Access;
  owned: boolean | null;
  /** Null where no user asks. */
  user_favorite: boolean | null;
  /** How often the caller played it; null where no user asks. */
  user_playback_count: number | null;
  /** The owner's alone. */
  paywall: "preview" | "blocked" | null;
  /** Hex. */
  secret_hash: string;
  /** Base64; the owner's alone. */
  secret_sealed: string | null;
  user: MiniUserRow;
  created_with: { id: number; name: string; permalink: string; external_url: string | null } | null;
  encoding: EncodingRow | null;
}

export interface EncodingRow {
  progress: number;
  failure_reason: string | null;
  failure_retryable: boolean | null;
  /** Codes, of a finished track. */
  warnings: string[];
  attempt: number;
  started_at: string | null;
  finished_at: string | null;
}

/** What may open a track besides being its owner. */
export interface Presented {
  /** SHA-256 of the secret token that came with the request. */
  secretHash: Uint8Array | undefined;
  /** ISO 3166-1 alpha-2 of where the request came from. */
  country: string | undefined;
}

export const presented = ({ secretHash, country }: Presented) => [
  secretHash ? bytea(secretHash) : null,
  country ?? null,
];

/** `track` is null where it does not exist or is not for this caller: the two are one. */
export const findTrack = (db: Database, caller: Caller, id: number, with_: Presented) =>
  callAs<{ track: TrackRow | null }>(db, "find_track", caller, id, ...presented(with_));

/** What of a track differs from reader to reader and from moment to moment. */
export type TrackNow = Pick<
  TrackRow,
  | "access"
  | "user_favorite"
  | "user_playback_count"
  | "comment_count"
  | "download_count"
  | "playback_count"
  | "favoritings_count"
  | "reposts_count"
>;

/** What of a track is the same for all who do not own it, as long as its version is. */
export type TrackBody = Omit<
  TrackRow,
  keyof TrackNow | "owned" | "paywall" | "secret_hash" | "secret_sealed" | "encoding"
>;

/**
 * Another's public track, `body` null where its version is known; `state` stands for all of it. Or that the state is the one
 * that is known. Or `track`, as `findTrack` has it.
 */
export type TrackReading =
  | { version: string; state: string; now: TrackNow; body: TrackBody | null }
  | { same: true }
  | { track: TrackRow | null };

/** As `findTrack`, for whoever holds the body of the version `known`, or what was made of that state. */
export const readTrack = (
  db: Database,
  caller: Caller,
  id: number,
  with_: Presented,
  known: string | undefined,
) => callAs<TrackReading>(db, "find_cached_track", caller, id, ...presented(with_), known ?? null);

export interface NewTrack {
  uploadId: number;
  /** What the owner may write, by column. */
  fields: Record<string, unknown>;
  /** Wanted; made unique among the owner's. */
  permalink: string;
  secretHash: Uint8Array;
  secretSealed: Uint8Array;
}

/** Fields that do not go with the rest of the database, or with each other. */
export type TrackFault = "unknown_label" | "no_such_date";

export type TrackCreation =
  | { outcome: "created" | "exists"; track: TrackRow }
  | { outcome: "unknown_upload" | TrackFault }
  | { outcome: "not_ready"; status: string };

/** Track, job and used upload in one transaction. The same upload again gives the first track again. */
export const createTrack = (db: Database, caller: Caller, track: NewTrack) =>
  repeatAs<TrackCreation>(
    db,
    "create_track",
    caller,
    track.uploadId,
    JSON.stringify(track.fields),
    track.permalink,
    bytea(track.secretHash),
    bytea(track.secretSealed),
  );

/** For a media URL: where its files lie, as long as it opens them. */
export interface OpenMedia {
  media_prefix: string;
  /** The answer is the same for every listener, wherever they are. */
  for_all: boolean;
}

/** What may be played now, by whoever the URL was made for. */
export interface PlayableMedia extends OpenMedia {
  access: Access;
  media: Media;
}

/** What a media URL says of who made it. `secretPrefix` is the start of the hash of the secret that the track had then. */
export interface MediaBearer {
  trackId: number;
  listenerId: number | null;
  secretPrefix: string;
  /** Base64url of the hash of the secret that came for it; "" for none. */
  openedBy: string;
}

/** `undefined` where nothing may be played. */
export async function findMedia(
  db: Database,
  { trackId, listenerId, secretPrefix, openedBy }: MediaBearer,
  country: string | undefined,
): Promise<PlayableMedia | undefined> {
  const secretHash = openedBy ? bytea(Buffer.from(openedBy, "base64url")) : null;
  const parameters = [trackId, listenerId, secretPrefix, secretHash, country ?? null];
  const media = await db.call<PlayableMedia | null>("find_media", parameters);
  return media ?? undefined;
}

/** `undefined` where the track is not to be seen. */
export async function findWaveform(
  db: Database,
  { trackId, secretPrefix }: MediaBearer,
): Promise<OpenMedia | undefined> {
  return (await db.call<OpenMedia | null>("find_waveform", [trackId, secretPrefix])) ?? undefined;
}

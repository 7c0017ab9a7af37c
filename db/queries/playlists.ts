import type { SQL } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { playlists } from "../schema/playlists.ts";
import type { ReplyOf } from "../shape.ts";
import { type Caller, callAs } from "./caller.ts";
import { MiniUserRow } from "./people.ts";
import { type OrderedColumnsQuery, OrderedTracks, TrackColumns } from "./track-columns.ts";
import { type Access, type AccessFacts, accessParameters, LoudnessRow } from "./track-rows.ts";

export const PlaylistRow = () =>
  rowOf(playlists)
    .omit({
      ...{ published_id: true, was_public: true, sanitizer_version: true, secret_hash: true },
      podcast_guid: true,
    })
    .extend({
      created_at: z.string(),
      label: MiniUserRow().nullable(),
      /** Base64; null for everyone but the owner. */
      secret_sealed: z.string().nullable(),
      user: MiniUserRow(),
      /** Counts only tracks that this reader sees, like the next four fields. */
      track_count: z.number(),
      duration_ms: z.number(),
      /** Null if the tracks differ. */
      streamable: z.boolean().nullable(),
      downloadable: z.boolean().nullable(),
      /** Null if none of its tracks was measured. */
      loudness: LoudnessRow().nullable(),
      /** Ordered. Omitted if tracks were not requested, or if the page already contains them all. */
      track_ids: z.array(z.number()).optional(),
    });
export type PlaylistRow = ReplyOf<typeof PlaylistRow>;

/** Detail in which a playlist's tracks are returned. */
export type Shown = "tracks" | "ids" | "none";

export const PlaylistPage = () =>
  z.strictObject({
    playlists: z.array(PlaylistRow()),
    /** Tracks of these playlists, each once; null if not requested. */
    tracks: TrackColumns().nullable(),
  });
export type PlaylistPage = ReplyOf<typeof PlaylistPage>;

/** Reasons for a refused change. `unknown` includes playlists hidden from the caller. */
export const PlaylistRefusal = () =>
  z.enum([
    "unknown",
    "not_yours",
    "changed",
    "unknown_label",
    "no_such_date",
    "unknown_track",
    "too_many_tracks",
    "not_held",
    "no_category",
  ]);
export type PlaylistRefusal = ReplyOf<typeof PlaylistRefusal>;

export type PlaylistChange<Result = object> = ({ outcome: "done" } & Result) | { outcome: PlaylistRefusal };

/** The reader's cached tracks and country. */
export interface Reading {
  country: string | undefined;
  held: string;
}

/** The playlist is absent if it does not exist or is hidden from this caller; replies do not distinguish the two. */
export const findPlaylist = (
  db: Database,
  caller: Caller,
  id: number | SQL,
  facts: AccessFacts,
  shown: Shown,
  access: Access[] | undefined,
  held: Reading["held"],
) =>
  callAs(db, "find_cached_playlist", PlaylistPage, caller, {
    id,
    ...accessParameters(facts),
    show: shown,
    held,
    access: access ?? null,
  });

interface PlaylistFilter {
  owner?: number | undefined;
  /** The user whose favorites or reposts are listed, latest mark first. */
  favored_by?: number | undefined;
  reposted_by?: number | undefined;
  ids?: number[] | undefined;
  words?: string[] | undefined;
  phrases?: string[] | undefined;
}

/** End of a page. In a ranking, `low` and `high` bound the ranked range. */
const PlaylistPosition = () =>
  z.strictObject({
    id: z.number(),
    rank: z.number().optional(),
    low: z.number().optional(),
    high: z.number().optional(),
  });
export type PlaylistPosition = ReplyOf<typeof PlaylistPosition>;

interface PlaylistPaging extends Partial<PlaylistPosition> {
  limit: number;
  offset: number;
}

const PlaylistList = () =>
  z.union([
    z.strictObject({
      owner_found: z.literal(false),
    }),
    PlaylistPage().extend({
      owner_found: z.literal(true),
      next: PlaylistPosition().nullable(),
    }),
  ]);

interface PlaylistListQuery extends Reading {
  filter: PlaylistFilter;
  page: PlaylistPaging;
  shown: Shown;
  /** Limits tracks to these kinds of access. */
  access: Access[] | undefined;
  /** The page ends before it would exceed this number of tracks. */
  mostTracks: number;
}

export const listPlaylists = (
  db: Database,
  caller: Caller,
  { filter, page, shown, access, country, held, mostTracks }: PlaylistListQuery,
) =>
  callAs(db, "list_playlists", PlaylistList, caller, {
    country: country ?? null,
    filter,
    page,
    show: shown,
    held,
    most: mostTracks,
    access: access ?? null,
  });

/** End of a page. */
const PlaylistTracksPosition = () =>
  z.strictObject({
    key: z.number(),
  });
export type PlaylistTracksPosition = ReplyOf<typeof PlaylistTracksPosition>;

const PlaylistTracks = () =>
  z.union([
    z.strictObject({
      found: z.literal(false),
    }),
    OrderedTracks(PlaylistTracksPosition()),
  ]);

export const listPlaylistTracks = (
  db: Database,
  caller: Caller,
  id: number,
  facts: AccessFacts,
  { filter, page, held }: OrderedColumnsQuery<PlaylistTracksPosition>,
) =>
  callAs(db, "list_playlist_tracks", PlaylistTracks, caller, {
    id,
    ...accessParameters(facts),
    filter,
    page,
    held,
  });

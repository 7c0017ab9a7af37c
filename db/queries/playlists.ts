import type { Database } from "../client.ts";
import { type BudgetLimit, budgetJson, type OverBudget, type Spent } from "./budgets.ts";
import { bytea, type Caller, callAs, repeatAs } from "./caller.ts";
import type { MiniUserRow } from "./people.ts";
import type { FoundTracks, KnownTracks } from "./track-lists.ts";
import { type Access, type Presented, presented } from "./tracks.ts";

export interface PlaylistRow {
  id: number;
  user_id: number;
  created_at: string;
  updated_at: string;
  title: string;
  permalink: string;
  description: string | null;
  genre: string | null;
  tag_list: string;
  playlist_type: string | null;
  license: string;
  label_id: number | null;
  label_name: string | null;
  label: MiniUserRow | null;
  release: string | null;
  release_day: number | null;
  release_month: number | null;
  release_year: number | null;
  ean: string | null;
  purchase_url: string | null;
  purchase_title: string | null;
  artwork_version: string | null;
  sharing: "public" | "private";
  embeddable_by: "all" | "me" | "none";
  likes_count: number;
  reposts_count: number;
  /** Base64; the owner's alone. */
  secret_sealed: string | null;
  user: MiniUserRow;
  /** Of the tracks that are for this reader, as are the next three. */
  track_count: number;
  duration_ms: number;
  /** Null where the tracks differ. */
  streamable: boolean | null;
  downloadable: boolean | null;
  /** In order; left out where only the playlist was asked for, and where the page's tracks are all its. */
  track_ids?: number[];
}

/** How much of its tracks comes with a playlist. */
export type Shown = "tracks" | "ids" | "none";

export interface PlaylistPage {
  playlists: PlaylistRow[];
  /** All the tracks of these playlists, each once; null where they were not asked for. */
  tracks: FoundTracks | null;
}

/** Why nothing was changed. `unknown` is also a playlist that the caller may not see. */
export type PlaylistRefusal =
  | "unknown"
  | "not_yours"
  | "changed"
  | "unknown_label"
  | "no_such_date"
  | "unknown_track"
  | "too_many_tracks"
  | "not_held";

export type PlaylistChange<Result = object> = ({ outcome: "done" } & Result) | { outcome: PlaylistRefusal };

/** What the reader holds already, and where from they ask. */
export interface Reading {
  country: string | undefined;
  known: KnownTracks;
}

/** No playlist where it does not exist or is not for this caller: the two are one. */
export const findPlaylist = (
  db: Database,
  caller: Caller,
  id: number,
  with_: Presented,
  shown: Shown,
  access: Access[] | undefined,
  known: Reading["known"],
) =>
  callAs<PlaylistPage>(
    db,
    "find_cached_playlist",
    caller,
    id,
    ...presented(with_),
    shown,
    JSON.stringify(known),
    access ? `{${access}}` : null,
  );

export interface PlaylistFilter {
  owner?: number | undefined;
  /** Whose likes, or reposts, are listed, the last one first. */
  liked_by?: number | undefined;
  reposted_by?: number | undefined;
  ids?: number[] | undefined;
  words?: string[] | undefined;
  phrases?: string[] | undefined;
}

/** Where a page ended. In a ranking `low` and `high` are the ends of what is ranked. */
interface PlaylistPosition {
  id: number;
  rank?: number;
  low?: number;
  high?: number;
}

export interface PlaylistPaging extends Partial<PlaylistPosition> {
  limit: number;
  offset: number;
}

type PlaylistList =
  | { owner_found: false }
  | ({ owner_found: true; next: PlaylistPosition | null } & PlaylistPage);

interface PlaylistListQuery extends Reading {
  filter: PlaylistFilter;
  page: PlaylistPaging;
  shown: Shown;
  /** Only tracks of such an access are in them. */
  access: Access[] | undefined;
  /** The page ends before it would hold more. */
  mostTracks: number;
}

export const listPlaylists = (
  db: Database,
  caller: Caller,
  { filter, page, shown, access, country, known, mostTracks }: PlaylistListQuery,
) =>
  callAs<PlaylistList>(
    db,
    "list_playlists",
    caller,
    country ?? null,
    JSON.stringify(filter),
    JSON.stringify(page),
    shown,
    JSON.stringify(known),
    mostTracks,
    access ? `{${access}}` : null,
  );

interface PlaylistTracksPage {
  limit: number;
  offset: number;
  /** By age; in the playlist's order where left out. */
  ascending?: boolean | undefined;
  /** Where the page before ended. */
  key?: number;
}

interface PlaylistTracksQuery {
  /** As `find_tracks` reads it. */
  filter: object;
  page: PlaylistTracksPage;
  known: Reading["known"];
}

type PlaylistTracks = { found: false } | { found: true; tracks: FoundTracks; next: { key: number } | null };

export const listPlaylistTracks = (
  db: Database,
  caller: Caller,
  id: number,
  with_: Presented,
  { filter, page, known }: PlaylistTracksQuery,
) =>
  callAs<PlaylistTracks>(
    db,
    "list_playlist_tracks",
    caller,
    id,
    ...presented(with_),
    JSON.stringify(filter),
    JSON.stringify(page),
    JSON.stringify(known),
  );

export interface NewPlaylist {
  /** What the owner may write, by column. */
  fields: Record<string, unknown>;
  /** Wanted; made unique among the owner's. */
  permalink: string;
  secretHash: Uint8Array;
  secretSealed: Uint8Array;
  trackIds: number[];
}

/** A playlist as it is written, and what that counted. */
type PlaylistWritten = PlaylistChange<PlaylistPage & { spent: Spent | null }> | OverBudget;

export const createPlaylist = (
  db: Database,
  caller: Caller,
  playlist: NewPlaylist,
  reading: Reading,
  budget: BudgetLimit | null,
) =>
  callAs<PlaylistWritten>(
    db,
    "create_playlist",
    caller,
    JSON.stringify(playlist.fields),
    playlist.permalink,
    bytea(playlist.secretHash),
    bytea(playlist.secretSealed),
    `{${playlist.trackIds}}`,
    reading.country ?? null,
    JSON.stringify(reading.known),
    budgetJson(budget),
  );

/** What `updated_at` has to be for a change to be made: one of these; null where anything. */
type Expected = string[] | null;

const anyOf = (expected: Expected) => expected && `{${expected}}`;

interface PlaylistUpdate {
  /** What is left out stays as it is. */
  columns: Record<string, unknown>;
  trackIds: number[];
  /** They are all that it holds from now on; else they come after what it holds. */
  replaces: boolean;
  expected: Expected;
}

export function updatePlaylist(
  db: Database,
  caller: Caller,
  id: number,
  { columns, trackIds, replaces, expected }: PlaylistUpdate,
  { country, known }: Reading,
  budget: BudgetLimit | null,
) {
  // What is expected no longer holds once it was done.
  const call = expected ? callAs : repeatAs;
  return call<PlaylistWritten>(
    db,
    "update_playlist",
    caller,
    id,
    JSON.stringify(columns),
    `{${trackIds}}`,
    replaces,
    anyOf(expected),
    country ?? null,
    JSON.stringify(known),
    budgetJson(budget),
  );
}

export const removePlaylistTrack = (
  db: Database,
  caller: Caller,
  id: number,
  trackId: number,
  expected: Expected,
) => callAs<PlaylistChange>(db, "remove_playlist_track", caller, id, trackId, anyOf(expected));

export const deletePlaylist = (db: Database, caller: Caller, id: number, expected: Expected) =>
  callAs<PlaylistChange>(db, "delete_playlist", caller, id, anyOf(expected));

/** Base64, sealed. */
export const findPlaylistSecret = (db: Database, caller: Caller, id: number) =>
  callAs<PlaylistChange<{ secret_sealed: string }>>(db, "find_playlist_secret", caller, id);

export const rotatePlaylistSecret = (
  db: Database,
  caller: Caller,
  id: number,
  secret: { hash: Uint8Array; sealed: Uint8Array },
) =>
  repeatAs<PlaylistChange>(
    db,
    "rotate_playlist_secret",
    caller,
    id,
    bytea(secret.hash),
    bytea(secret.sealed),
  );

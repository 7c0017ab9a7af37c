import { and, eq, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { users } from "../schema/people.ts";
import { playlists, playlistTracks } from "../schema/playlists.ts";
import { trackDocuments as documents } from "../schema/search.ts";
import { tracks } from "../schema/tracks.ts";
import type { ReplyOf } from "../shape.ts";
import { showBeside } from "../show-beside.ts";
import { builder, choiceOf, selected } from "../stored-select.ts";
import { type Caller, sessionOf } from "./caller.ts";
import { type ListPage, positionOf } from "./choose-matches.ts";
import type { ForgivenPlace } from "./forgiving.ts";
import { MiniUserRow } from "./people.ts";
import { entriesOfPlaylists, visibleEntries } from "./playlist-entries.ts";
import { choosePlaylists, type PlaylistFilter } from "./playlist-lists.ts";
import { totalsOf } from "./playlist-totals.ts";
import { showPlaylists } from "./show-playlists.ts";
import { shownTo, showTracks } from "./show-tracks.ts";
import { documentQuery, fits } from "./track-filters.ts";
import { type OrderedTracksQuery, present, type TrackList, toTrackList } from "./track-lists.ts";
import { type Access, type AccessFacts, accessParameters, LoudnessRow, TrackRow } from "./track-rows.ts";
import { isShownEntry, isVisiblePlaylist, openingOf } from "./visibility.ts";

export const PlaylistRow = () =>
  rowOf(playlists)
    .omit({
      published_id: true,
      was_public: true,
      permalink_chosen: true,
      sanitizer_version: true,
      secret_hash: true,
      podcast_guid: true,
    })
    .extend({
      created_at: z.string(),
      /** Time of the first publication. Null if the playlist was never public. */
      published_at: z.string().nullable(),
      label: MiniUserRow().nullable(),
      /** Base64; null for everyone but the owner, like `publish_at`. */
      secret_sealed: z.string().nullable(),
      user: MiniUserRow(),
      /** Whether its owner offers it as a podcast. */
      is_podcast: z.boolean(),
      /** Counts only tracks that this reader sees, like the next four fields. */
      track_count: z.number(),
      duration_ms: z.number(),
      /** Null if the tracks differ. */
      streamable: z.boolean().nullable(),
      downloadable: z.boolean().nullable(),
      /** Null if none of its tracks was measured. */
      loudness: LoudnessRow().nullable(),
      /** Ordered ids of the tracks. Null if the caller did not ask for them. */
      track_ids: z.array(z.number()).nullish(),
    });
export type PlaylistRow = ReplyOf<typeof PlaylistRow>;

/** `fits` is false after 4 MiB of descriptions in a reply, and the description is then left out. */
export const PlaylistTrack = () => TrackRow().extend({ fits: z.boolean() });
export type PlaylistTrack = ReplyOf<typeof PlaylistTrack>;

/** Detail in which a playlist's tracks are returned. */
export type Shown = "tracks" | "ids" | "none";

/** A playlist and, on request, its tracks. */
export interface ShownPlaylist {
  playlist: PlaylistRow;
  tracks?: PlaylistTrack[] | undefined;
}

/** Reasons for a refused change. `unknown` includes playlists hidden from the caller. */
export const PlaylistRefusal = () =>
  z.enum([
    "unknown",
    "not_yours",
    "changed",
    "unknown_label",
    "taken_down",
    "no_such_date",
    "unknown_track",
    "too_many_tracks",
    "not_held",
    "no_category",
    "time_passed",
    "is_public",
    "permalink_taken",
  ]);
export type PlaylistRefusal = ReplyOf<typeof PlaylistRefusal>;

export type PlaylistChange<Result = object> = ({ outcome: "done" } & Result) | { outcome: PlaylistRefusal };

interface Asked {
  facts: AccessFacts;
  shown: Shown;
  /** Limits tracks to these kinds of access. */
  access: Access[] | undefined;
}

/** Bytes. Descriptions may be long and an isolate is small. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Parameters that both stored selects take. */
const readerOf = (caller: Caller, { facts, access }: Asked) => ({
  ...sessionOf(caller),
  ...accessParameters(facts),
  access: access ?? null,
});

/** The totals of a playlist that is read with its tracks are computed from those tracks. */
const detailOf = ({ shown }: Asked) => ({ totals: shown !== "tracks", track_ids: shown === "ids" });

/** Reads the tracks of playlists that `ids` name, and beside each its playlist's id and the number of playlists read. */
function entriesOf(caller: Caller, asked: Asked, ids: SQL | number[], most: number) {
  const { session, client, access, ...opening } = readerOf(caller, asked);
  const entries = entriesOfPlaylists.table({ ...opening, access, ids, most });
  return showBeside(entries, (ids) =>
    showTracks.table({ ...opening, session, client, ids, most_bytes: MOST_BYTES }),
  );
}

type Entry = [entry: { playlist: number; playlists: number }, track: PlaylistTrack | undefined];

const withTracks = (playlist: PlaylistRow, entries: Entry[]): ShownPlaylist => {
  const tracks = entries.flatMap(([entry, track]) => (entry.playlist === playlist.id && track) || []);
  return { playlist: { ...playlist, ...totalsOf(tracks) }, tracks };
};

/**
 * Reads a playlist. It is `undefined` if it does not exist or is hidden from this caller; replies do not distinguish the two. `named`
 * is its id, or an expression for it.
 */
export async function readPlaylist(
  db: Database,
  caller: Caller,
  named: number | SQL,
  asked: Asked,
): Promise<ShownPlaylist | undefined> {
  const given = { ...readerOf(caller, asked), ...detailOf(asked) };
  const reading =
    typeof named === "number"
      ? showPlaylists.with({ ...given, ids: [named] })
      : showPlaylists.chosenBy(choiceOf(sql`select ${named}`, []), given);
  if (asked.shown !== "tracks") {
    const [playlist] = await db.read(reading);
    return playlist && { playlist };
  }
  const [[playlist], tracks] = await db.readAll([reading, tracksOf(caller, named, asked)]);
  return playlist && { playlist: { ...playlist, ...totalsOf(tracks) }, tracks };
}

/** Reads the tracks of one playlist in one pass. Only the playlist's own secret opens private tracks. */
function tracksOf(caller: Caller, named: number | SQL, { facts, access }: Asked) {
  const opening = openingOf(caller.userId, facts.secretHash, facts.country);
  const id = eq(playlists.id, sql`${named}`);
  const own = builder
    .select({ hash: playlists.secretHash })
    .from(playlists)
    .where(and(id, eq(playlists.secretHash, opening.secret_hash)));
  const entries = builder
    .select({ id: playlistTracks.trackId })
    .from(playlistTracks)
    .innerJoin(tracks, eq(tracks.id, playlistTracks.trackId))
    .where(and(eq(playlistTracks.playlistId, sql`${named}`), isShownEntry(opening)))
    .orderBy(playlistTracks.position);
  const fitting = visibleEntries(builder, opening, sql`${sql.param(access ?? null)}::text[]`);
  const choice = access
    ? builder
        .select({ id: fitting.id })
        .from(playlists)
        .innerJoinLateral(fitting, sql`true`)
        .where(id)
        .orderBy(fitting.position)
    : entries;
  const secret_hash = facts.secretHash ? sql`${own}` : null;
  return showTracks.chosenBy(choice, { ...shownTo(caller, facts, MOST_BYTES), secret_hash });
}

interface ListAsked extends Asked {
  filter: PlaylistFilter;
  page: ListPage;
  /** The page ends before it would exceed this number of tracks. */
  mostTracks: number;
}

/** Lists playlists. It is `undefined` if there is no such owner. */
export async function listPlaylists(db: Database, caller: Caller, asked: ListAsked) {
  const { filter, page, shown, mostTracks } = asked;
  const { limit } = page;
  const choice = choosePlaylists(filter, page, caller.userId);
  const rows = showPlaylists.chosenBy(choice, { ...readerOf(caller, asked), ...detailOf(asked) });
  const ids = sql`array(select id from (${choice.getSQL()}) chosen limit ${limit})`;
  const owner = subjectOf(filter);
  if (shown !== "tracks") {
    const [listed, known] = await db.readAll([rows, owner]);
    return known.length ? pageOf(listed, limit, (playlist) => ({ playlist })) : undefined;
  }
  const [listed, known, entries] = await db.readAll([rows, owner, entriesOf(caller, asked, ids, mostTracks)]);
  if (!known.length) return undefined;
  const room = entries[0]?.[0].playlists ?? limit;
  return pageOf(listed, Math.min(room, limit), (playlist) => withTracks(playlist, entries));
}

/** Returns one row, unless the owner of the playlists, favorites or reposts does not exist. */
function subjectOf({ owner, favored_by, reposted_by }: PlaylistFilter) {
  const id = owner ?? favored_by ?? reposted_by;
  return id === undefined
    ? selected(builder.select({ id: sql<number>`0` }).from(sql`(values (0)) one`))
    : present(id);
}

/** Returns the first `count` of the listed, and the position after them if there are more. */
function pageOf<Row extends PlaylistRow & ForgivenPlace>(
  listed: Row[],
  count: number,
  show: (playlist: PlaylistRow) => ShownPlaylist,
) {
  const last = listed[count - 1];
  return {
    playlists: listed.slice(0, count).map(show),
    next: listed.length > count && last ? positionOf(last) : undefined,
    meant: listed[0]?.meant ?? undefined,
  };
}

/** End of a page. */
export interface PlaylistTracksPosition {
  key: number;
}

/** Lists a playlist's tracks, in its order or by age. A search does not change the order. */
export async function listPlaylistTracks(
  db: Database,
  caller: Caller,
  id: number,
  facts: AccessFacts,
  { filter, page }: OrderedTracksQuery<PlaylistTracksPosition>,
): Promise<TrackList<PlaylistTracksPosition>> {
  const opening = openingOf(caller.userId, facts.secretHash, facts.country);
  const isVisible = and(eq(playlists.id, id), isVisiblePlaylist(opening));
  const { access, ...others } = filter;
  const entries = visibleEntries(builder, opening, sql`${sql.param(access ?? null)}::text[]`);
  const reader = { userId: caller.userId, country: facts.country };
  const query = documentQuery(others, reader);
  const conditions = [...fits(others, reader), ...(query ? [sql`${documents.document} @@ ${query}`] : [])];
  const byAge = page.ascending ? sql`${entries.id}` : sql`-${entries.id}`;
  const key = page.ascending === undefined ? sql`${entries.position}` : byAge;
  const choice = builder
    .select({ id: entries.id, key: sql<number>`${key}` })
    .from(playlists)
    .innerJoin(users, eq(users.id, playlists.userId))
    .innerJoinLateral(entries, sql`true`)
    .where(and(isVisible, page.key === undefined ? undefined : sql`${key} > ${page.key}`, ...conditions))
    .orderBy(key)
    .limit(page.limit + 1)
    .offset(page.offset)
    .$dynamic();
  if (conditions.length) choice.innerJoin(documents, eq(documents.id, entries.id));
  const visible = builder
    .select({ id: playlists.id })
    .from(playlists)
    .innerJoin(users, eq(users.id, playlists.userId));
  const [rows, found] = await db.readAll([
    showTracks.chosenBy(choice, shownTo(caller, facts)),
    selected(visible.where(isVisible)),
  ]);
  return found.length ? toTrackList(rows, page.limit, (last) => ({ key: last.key })) : { found: false };
}

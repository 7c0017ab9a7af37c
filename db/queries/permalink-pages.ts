import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { users } from "../schema/people.ts";
import { playlistFavorites, playlistReposts } from "../schema/playlist-favorites.ts";
import { playlists, playlistTracks } from "../schema/playlists.ts";
import { reposts } from "../schema/reposts.ts";
import { tracks } from "../schema/tracks.ts";
import { builder, selected } from "../stored-select.ts";
import { type Caller, sessionOf } from "./caller.ts";
import { type ThreadPage, type Threads, threadsOf, toThreads } from "./comment-threads.ts";
import { miniUser } from "./mini-user.ts";
import type { MiniUserRow } from "./people.ts";
import type { PlaylistRow } from "./playlists.ts";
import {
  type EpisodeShown,
  type ListedEpisode,
  podcastOf,
  showEpisode,
  showEpisodes,
} from "./podcast-pages.ts";
import type { PodcastRow } from "./podcasts.ts";
import { readAppearances, readTab, type Tab } from "./profile-tabs.ts";
import { relatedTracks } from "./related-tracks.ts";
import { idOf, type Named } from "./resolve.ts";
import { showPlaylists } from "./show-playlists.ts";
import { shownTo, showTracks } from "./show-tracks.ts";
import { showUsers, type UserRow } from "./show-users.ts";
import {
  countedFor,
  entriesOf,
  hasRow,
  isFollowed,
  type ListItem,
  openingFor,
  rowsFor,
  timedComments,
  visibleTrack,
} from "./site-lists.ts";
import type { SiteComment, Subject } from "./site-pages.ts";
import type { AccessFacts, TrackRow } from "./track-rows.ts";
import { isListedPlaylist } from "./visibility.ts";
import { toProfiles, type WebProfileRow, webProfilesOf } from "./web-profiles.ts";

/** The part of a list that a page shows. */
interface PartOf<Item> {
  items: Item[];
  /** The place after which the next part begins; null at the end. */
  next: number | null;
}

/** The surroundings of a page's subject. */
export interface Around {
  /** Whether the reader follows the user or the owner. */
  follows: boolean;
  favors: boolean;
  reposts: boolean;
  /** A track's comments, or one thread of them. */
  threads?: Threads;
  /** The reader, beside the field for a comment. */
  reader?: MiniUserRow | undefined;
  /** Tracks related to a track. */
  related?: TrackRow[];
  /** Sets that hold a track, the newest first. Their totals are not read. */
  sets?: PlaylistRow[];
  /** A tab of a user, or the tracks of a playlist. */
  list?: PartOf<ListItem>;
  /** A track's. */
  episode?: EpisodeShown | undefined;
  /** A set's, if its owner offers it as a podcast. */
  podcast?: { fields: PodcastRow; episodes: ListedEpisode[] } | undefined;
  /** A user's. */
  web_profiles?: WebProfileRow[];
  /** The latest tracks of others on which a user is an artist. */
  appearances?: TrackRow[];
}

interface Part {
  /** Needed for a user's page. */
  tab?: Tab | undefined;
  /** The place after which the threads or the list continue. */
  after?: number | undefined;
  /** Id of a comment whose thread alone is shown. */
  thread?: number | undefined;
}

/** Most items of a page. */
const RELATED = 6;
const SETS = 4;
const LISTED = 30;

/** Makes a page of rows, of which one more was read. */
function partOf<Row>(rows: Row[], most: number, placeOf: (row: Row) => number): PartOf<Row> {
  const last = rows[most - 1];
  return { items: rows.slice(0, most), next: last && rows.length > most ? placeOf(last) : null };
}

const placeOf = ({ place }: ListItem) => place;

interface Shown extends Subject {
  around: Around;
  /** Timed comments on a track, by position. */
  remarks?: SiteComment[];
}

/** Finds a page as the caller sees it, with the surroundings of its subject. `undefined` if there is none. */
export async function showPage(
  db: Database,
  caller: Caller,
  named: Named,
  facts: AccessFacts,
  { tab = "tracks", after, thread }: Part,
): Promise<Shown | undefined> {
  const id = idOf(named);
  switch (named.kind) {
    case "track":
      return showTrack(db, caller, id, facts, { after, only: thread });
    case "playlist":
      return showSet(db, caller, id, facts);
    case "user":
      return showProfile(db, caller, id, facts, tab, after);
    default:
      return undefined;
  }
}

async function showTrack(db: Database, caller: Caller, id: SQL, facts: AccessFacts, page: ThreadPage) {
  const { userId } = caller;
  const choice = builder
    .select({
      id: tracks.id,
      follows: isFollowed(tracks.userId, userId),
      reposts: hasRow(reposts, userId, eq(reposts.trackId, tracks.id)),
    })
    .from(tracks)
    .where(eq(tracks.id, id));
  const own = builder.select(miniUser).from(users).where(sql`${users.id} = ${userId}::bigint`);
  const [[track], remarks, comments, related, sets, [reader], [episode]] = await db.readAll([
    showTracks.chosenBy(choice, shownTo(caller, facts)),
    timedComments(visibleTrack(id, openingFor(caller, facts))),
    threadsOf(caller, id, facts.secretHash, page),
    relatedTracks(id, caller, facts, { filter: {}, page: { limit: RELATED, offset: 0 } }),
    showPlaylists.chosenBy(setsWith(id, userId), { ...countedFor(caller, facts), totals: false }),
    selected(own),
    showEpisode.with({ track: id, ...openingFor(caller, facts) }),
  ]);
  if (!track) return undefined;
  const around: Around = {
    follows: track.follows === 1,
    favors: track.user_favorite === true,
    reposts: track.reposts === 1,
    threads: toThreads(comments, page),
    reader,
    related: related
      .slice(0, RELATED)
      .filter(({ access, state }) => access !== "blocked" && state !== "failed"),
    sets,
    episode,
  };
  return { track, remarks, around };
}

/** Chooses the newest listed sets that hold a track. */
const setsWith = (track: SQL, reader: number | null) =>
  builder
    .select({ id: playlists.id })
    .from(playlistTracks)
    .innerJoin(playlists, eq(playlists.id, playlistTracks.playlistId))
    .innerJoin(users, eq(users.id, playlists.userId))
    .where(and(eq(playlistTracks.trackId, track), isListedPlaylist(reader)))
    .orderBy(desc(playlists.id))
    .limit(SETS);

/** Its tracks are shown whole: 500, which is most, cost 41 kB compressed and a tenth of a second. */
async function showSet(db: Database, caller: Caller, id: SQL, facts: AccessFacts) {
  const { userId } = caller;
  const choice = builder
    .select({
      id: playlists.id,
      follows: isFollowed(playlists.userId, userId),
      favors: hasRow(playlistFavorites, userId, eq(playlistFavorites.playlistId, playlists.id)),
      reposts: hasRow(playlistReposts, userId, eq(playlistReposts.playlistId, playlists.id)),
    })
    .from(playlists)
    .where(eq(playlists.id, id));
  const opening = openingFor(caller, facts);
  const entries = entriesOf(id, opening);
  const [[playlist], rows, [fields], episodes] = await db.readAll([
    showPlaylists.chosenBy(choice, countedFor(caller, facts)),
    showTracks.chosenBy(entries, rowsFor(caller, facts)),
    podcastOf(id, opening),
    showEpisodes.with({ set: id, ...opening }),
  ]);
  if (!playlist) return undefined;
  const items = rows.map((track): ListItem => ({ place: track.place, track }));
  const around: Around = {
    follows: playlist.follows === 1,
    favors: playlist.favors === 1,
    reposts: playlist.reposts === 1,
    list: { items, next: null },
    podcast: fields && { fields, episodes },
  };
  return { playlist, around };
}

async function showProfile(
  db: Database,
  caller: Caller,
  id: SQL,
  { country }: AccessFacts,
  tab: Tab,
  after: number | undefined,
) {
  const choice = builder
    .select({ id: users.id, follows: isFollowed(users.id, caller.userId) })
    .from(users)
    .where(eq(users.id, id));
  const part = { owner: id, before: after ?? Number.MAX_SAFE_INTEGER, limit: LISTED + 1 };
  const [[user], profiles, appearances, ...lists] = await db.readAll<
    [UserRow & { follows: number }, { profile: WebProfileRow | null }, TrackRow, ...ListItem[]]
  >([
    showUsers.chosenBy(choice, sessionOf(caller)),
    webProfilesOf(caller, id),
    readAppearances(id, caller, country),
    ...readTab(tab, part, caller, country),
  ]);
  if (!user) return undefined;
  const items = lists.flat().sort((one, other) => other.place - one.place);
  const around: Around = {
    follows: user.follows === 1,
    favors: false,
    reposts: false,
    list: partOf(items, LISTED, placeOf),
    web_profiles: toProfiles(profiles),
    appearances,
  };
  return { user, around };
}

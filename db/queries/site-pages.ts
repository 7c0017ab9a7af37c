import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import type { Reading } from "../stored-select.ts";
import { type Caller, sessionOf } from "./caller.ts";
import type { MiniUserRow } from "./people.ts";
import type { PlaylistRow } from "./playlists.ts";
import { idOf, type Named } from "./resolve.ts";
import { showPlaylists } from "./show-playlists.ts";
import { shownTo, showTracks } from "./show-tracks.ts";
import { showUsers, type UserRow } from "./show-users.ts";
import {
  countedFor,
  entriesOf,
  type List,
  newestOf,
  openingFor,
  playedOf,
  rowsFor,
  timedComments,
  visibleTrack,
  type Wanted,
} from "./site-lists.ts";
import type { AccessFacts, TrackRow } from "./track-rows.ts";

/** A track as lists on pages show it. */
export type SiteItem = Pick<
  TrackRow,
  | ("id" | "title" | "permalink" | "artist" | "duration_ms")
  | ("state" | "sharing" | "access" | "artwork_version" | "user")
>;

/** A timed comment. */
export interface SiteComment {
  id: number;
  /** Milliseconds. */
  timestamp: number;
  user: MiniUserRow;
  /** HTML. */
  body: string;
}

/** The resource at an address of the site, if there is one. */
export interface Subject {
  track?: TrackRow | undefined;
  playlist?: PlaylistRow | undefined;
  user?: UserRow | undefined;
}

export interface SitePage extends Subject {
  /** Tracks of a playlist or user. */
  items: SiteItem[];
  /** The item to play. */
  played?: TrackRow | undefined;
  /** Timed comments on the track or the played one, by position. */
  comments: SiteComment[];
}

const NOTHING: SitePage = { items: [], comments: [] };

const readTrack = (caller: Caller, id: SQL, facts: AccessFacts) =>
  showTracks.with({ ...shownTo(caller, facts), ids: sql`array[${id}]` });

const readUser = (caller: Caller, id: SQL) =>
  showUsers.with({ ...sessionOf(caller), ids: sql`array[${id}]` });

const readPlaylist = (caller: Caller, id: SQL, facts: AccessFacts) =>
  showPlaylists.with({ ...countedFor(caller, facts), ids: sql`array[${id}]` });

/** Finds the subject of a page as the caller sees it. */
export async function findSubject(
  db: Database,
  caller: Caller,
  named: Named | undefined,
  facts: AccessFacts,
): Promise<Subject> {
  if (!named) return {};
  const id = idOf(named);
  const only = async <Row>(reading: Reading<Row>) => (await db.read(reading))[0];
  switch (named.kind) {
    case "track":
      return { track: await only(readTrack(caller, id, facts)) };
    case "playlist":
      return { playlist: await only(readPlaylist(caller, id, facts)) };
    case "user":
      return { user: await only(readUser(caller, id)) };
    default:
      return {};
  }
}

/** Finds a page with what an embedded player shows: a playlist's tracks or a user's newest, and comments. */
export async function findPage(
  db: Database,
  caller: Caller,
  named: Named | undefined,
  facts: AccessFacts,
  wanted: Wanted = {},
): Promise<SitePage> {
  if (!named) return NOTHING;
  const id = idOf(named);
  const opening = openingFor(caller, facts);
  const read = async <Row>(subject: Reading<Row>, list: List) => {
    const played = playedOf(list, wanted);
    const [[found], items, [track], comments] = await db.readAll([
      subject,
      showTracks.chosenBy(list, rowsFor(caller, facts)),
      showTracks.with({ ...shownTo(caller, facts), ids: sql`array(${played})` }),
      timedComments(played),
    ]);
    return [found, { items, played: track, comments }] as const;
  };
  switch (named.kind) {
    case "track": {
      const [[track], comments] = await db.readAll([
        readTrack(caller, id, facts),
        timedComments(visibleTrack(id, opening)),
      ]);
      return { track, items: [], comments };
    }
    case "playlist": {
      const [playlist, list] = await read(readPlaylist(caller, id, facts), entriesOf(id, opening));
      return { playlist, ...list };
    }
    case "user": {
      const [user, list] = await read(readUser(caller, id), newestOf(id, opening));
      return { user, ...list };
    }
    default:
      return NOTHING;
  }
}

/** Finds what an embedded player plays, in its page's order. `undefined` if it shows nothing. */
export async function embeddedSounds(
  db: Database,
  caller: Caller,
  named: Named | undefined,
  facts: AccessFacts,
): Promise<TrackRow[] | undefined> {
  if (!named) return undefined;
  const id = idOf(named);
  const opening = openingFor(caller, facts);
  const tracksOf = (list: List) => showTracks.chosenBy(list, shownTo(caller, facts, Number.MAX_SAFE_INTEGER));
  switch (named.kind) {
    case "track": {
      const [track] = await db.read(readTrack(caller, id, facts));
      return track?.embeddable_by === "all" ? [track] : undefined;
    }
    case "playlist": {
      const [[playlist], tracks] = await db.readAll([
        readPlaylist(caller, id, facts),
        tracksOf(entriesOf(id, opening)),
      ]);
      return playlist?.embeddable_by === "all" ? tracks : undefined;
    }
    case "user": {
      const [[user], tracks] = await db.readAll([readUser(caller, id), tracksOf(newestOf(id, opening))]);
      return user && tracks;
    }
  }
  return undefined;
}

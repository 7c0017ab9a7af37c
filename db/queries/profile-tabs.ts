import { and, desc, eq, isNull, lt, type SQL } from "drizzle-orm";
import { credits } from "../schema/credits.ts";
import { favorites } from "../schema/favorites.ts";
import { followings } from "../schema/followings.ts";
import { users } from "../schema/people.ts";
import { playlistFavorites, playlistReposts } from "../schema/playlist-favorites.ts";
import { playlists } from "../schema/playlists.ts";
import { reposts } from "../schema/reposts.ts";
import { tracks } from "../schema/tracks.ts";
import { builder, type Choice, type Reading } from "../stored-select.ts";
import { type Caller, sessionOf } from "./caller.ts";
import { showPlaylists } from "./show-playlists.ts";
import { showTracks } from "./show-tracks.ts";
import { showUsers } from "./show-users.ts";
import { countedFor, isFollowed, type ListItem, rowsFor } from "./site-lists.ts";
import { isListedPlaylist, isListedTrack } from "./visibility.ts";

export const TABS = ["tracks", "sets", "reposts", "likes", "followers", "following"] as const;
export type Tab = (typeof TABS)[number];

/** The requested part of a tab. */
interface Part {
  /** Id of the profile's user. */
  owner: SQL;
  /** The place below which the part begins. */
  before: number;
  /** Most items of a kind. */
  limit: number;
}

const ownTracks = ({ owner, before, limit }: Part, reader: number | null) =>
  builder
    .select({ id: tracks.id, place: tracks.publishedId })
    .from(tracks)
    .innerJoin(users, eq(users.id, tracks.userId))
    .where(and(eq(tracks.userId, owner), lt(tracks.publishedId, before), isListedTrack(reader)))
    .orderBy(desc(tracks.publishedId))
    .limit(limit);

const ownSets = ({ owner, before, limit }: Part, reader: number | null) =>
  builder
    .select({ id: playlists.id, place: playlists.publishedId })
    .from(playlists)
    .innerJoin(users, eq(users.id, playlists.userId))
    .where(and(eq(playlists.userId, owner), lt(playlists.publishedId, before), isListedPlaylist(reader)))
    .orderBy(desc(playlists.publishedId))
    .limit(limit);

const tracksIn = (table: typeof favorites, { owner, before, limit }: Part, reader: number | null) =>
  builder
    .select({ id: tracks.id, place: table.id })
    .from(table)
    .innerJoin(tracks, eq(tracks.id, table.trackId))
    .innerJoin(users, eq(users.id, tracks.userId))
    .where(and(eq(table.userId, owner), lt(table.id, before), isListedTrack(reader)))
    .orderBy(desc(table.id))
    .limit(limit);

/** Tracks of others that a profile shows. */
const APPEARANCES = 6;

/** Reads the latest tracks of others on which a user accepted to be an artist. */
export function readAppearances(owner: SQL, caller: Caller, country: string | undefined) {
  const choice = builder
    .select({ id: tracks.id })
    .from(credits)
    .innerJoin(tracks, eq(tracks.id, credits.trackId))
    .innerJoin(users, eq(users.id, tracks.userId))
    .where(and(eq(credits.userId, owner), eq(credits.state, "accepted"), isListedTrack(caller.userId)))
    .orderBy(desc(credits.id))
    .limit(APPEARANCES);
  return showTracks.chosenBy(choice, rowsFor(caller, { secretHash: undefined, country }));
}

const setsIn = (table: typeof playlistFavorites, { owner, before, limit }: Part, reader: number | null) =>
  builder
    .select({ id: playlists.id, place: table.id })
    .from(table)
    .innerJoin(playlists, eq(playlists.id, table.playlistId))
    .innerJoin(users, eq(users.id, playlists.userId))
    .where(and(eq(table.userId, owner), lt(table.id, before), isListedPlaylist(reader)))
    .orderBy(desc(table.id))
    .limit(limit);

/** Chooses a user's followers, or the users whom a user follows. */
function people(tab: "followers" | "following", { owner, before, limit }: Part, reader: number | null) {
  const [one, other] =
    tab === "followers"
      ? [followings.followeeId, followings.userId]
      : [followings.userId, followings.followeeId];
  return builder
    .select({ id: users.id, place: followings.id, follows: isFollowed(users.id, reader) })
    .from(followings)
    .innerJoin(users, eq(users.id, other))
    .where(and(eq(one, owner), lt(followings.id, before), isNull(users.disabledAt)))
    .orderBy(desc(followings.id))
    .limit(limit);
}

/**
 * Reads a part of a profile's tab, newest first: by the first publication, favorite or repost. Likes and reposts are two
 * lists, of tracks and of sets, for the caller to merge.
 */
export function readTab(
  tab: Tab,
  part: Part,
  caller: Caller,
  country: string | undefined,
): Reading<ListItem>[] {
  const reader = caller.userId;
  const facts = { secretHash: undefined, country };
  const ofTracks = (choice: Choice<{ place: number }>) =>
    listed(showTracks.chosenBy(choice, rowsFor(caller, facts)), (track) => ({ track }));
  const ofSets = (choice: Choice<{ place: number }>) =>
    listed(showPlaylists.chosenBy(choice, countedFor(caller, facts)), (playlist) => ({ playlist }));
  switch (tab) {
    case "tracks":
      return [ofTracks(ownTracks(part, reader))];
    case "sets":
      return [ofSets(ownSets(part, reader))];
    case "likes":
      return [ofTracks(tracksIn(favorites, part, reader)), ofSets(setsIn(playlistFavorites, part, reader))];
    case "reposts":
      // Tables of favorites and reposts have the same columns.
      return [
        ofTracks(tracksIn(reposts as unknown as typeof favorites, part, reader)),
        ofSets(setsIn(playlistReposts as unknown as typeof playlistFavorites, part, reader)),
      ];
    default: {
      const shown = showUsers.chosenBy(people(tab, part, reader), sessionOf(caller));
      return [listed(shown, (user) => ({ user, follows: user.follows === 1 }))];
    }
  }
}

const listed = <Row extends { place: number }>(
  reading: Reading<Row>,
  itemOf: (row: Row) => Omit<ListItem, "place">,
): Reading<ListItem> => ({
  ...reading,
  toRows: (raw) => reading.toRows(raw).map((row) => ({ place: row.place, ...itemOf(row) })),
});

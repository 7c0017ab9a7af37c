import { and, eq, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { users } from "../schema/people.ts";
import { playlists } from "../schema/playlists.ts";
import { tracks } from "../schema/tracks.ts";

/** The reader of a statement, as an expression. Null for visitors and apps without a user. */
type Reader = SQL;

/** Matches tracks that lists show to a reader: public ones, and the reader's own. `users` must be joined as their owner. */
export const visibleTrack = (reader: Reader) =>
  and(
    isNull(users.disabledAt),
    or(and(eq(tracks.sharing, sql`'public'`), ne(tracks.state, sql`'failed'`)), eq(tracks.userId, reader)),
  );

/** The same for playlists. */
export const visiblePlaylist = (reader: Reader) =>
  and(isNull(users.disabledAt), or(eq(playlists.sharing, sql`'public'`), eq(playlists.userId, reader)));

import { and, eq, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { bytea } from "../bytea.ts";
import { comments } from "../schema/comments.ts";
import { users } from "../schema/people.ts";
import { playlists, playlistTracks } from "../schema/playlists.ts";
import { trackShares } from "../schema/shares.ts";
import { tracks } from "../schema/tracks.ts";
import type { Access } from "./track-rows.ts";

/** Facts that may open a track or playlist, as expressions. Each may be null. */
export interface Opening {
  /** Id of the reader. */
  user: SQL;
  /** SHA-256 of the secret token that came with the request. */
  secret_hash: SQL;
  /** ISO 3166-1 alpha-2. */
  country: SQL;
}

/** The same facts as values, for a statement that is planned each time. */
export const openingOf = (userId: number | null, secretHash?: Uint8Array, country?: string): Opening => ({
  user: sql`${userId}::bigint`,
  secret_hash: sql`${secretHash ? bytea(secretHash) : null}::bytea`,
  country: sql`${country ?? null}::text`,
});

/** Matches tracks that lists show: public ones, and the reader's own. `users` must be joined as their owners. */
export const isListedTrack = (user: SQL | number | null) =>
  and(
    isNull(users.disabledAt),
    or(eq(tracks.userId, sql`${user}`), and(eq(tracks.sharing, "public"), ne(tracks.state, "failed"))),
  );

/** The same for playlists. */
export const isListedPlaylist = (user: SQL | number | null) =>
  and(isNull(users.disabledAt), or(eq(playlists.userId, sql`${user}`), eq(playlists.sharing, "public")));

const reader = alias(users, "reader");

/** Tells whether the track is private and nothing opens it: its secret, a share, or the secret of a playlist that holds it. */
const isClosed = ({ user, secret_hash }: Opening) => sql<boolean>`(${tracks.sharing} = 'private'
  and ${tracks.secretHash} is distinct from ${secret_hash}
  and not exists (select from ${trackShares} where ${trackShares.trackId} = ${tracks.id} and ${trackShares.userId} = ${user})
  and not exists (select from ${playlists} join ${playlistTracks} on ${playlistTracks.playlistId} = ${playlists.id}
    where ${playlists.secretHash} = ${secret_hash} and ${playlists.userId} = ${tracks.userId}
      and ${playlistTracks.trackId} = ${tracks.id}))`;

/** The same for a track in a playlist, which opens its owner's tracks by its own secret alone. `playlists` must be joined. */
const isClosedInPlaylist = ({ user, secret_hash }: Opening) => sql<boolean>`(${tracks.sharing} = 'private'
  and (${tracks.userId} = ${playlists.userId} and ${playlists.secretHash} = ${secret_hash}) is not true
  and not exists (select from ${trackShares} where ${trackShares.trackId} = ${tracks.id} and ${trackShares.userId} = ${user}))`;

/** Access to a track, or `none`. `users` must be joined as its owner. */
export const trackAccess = (opening: Opening) => accessUnless(isClosed(opening), opening);

/** Matches a track that the reader may see, be it by a secret. `users` must be joined as its owner. */
export const seesTrack = ({ user, secret_hash }: Pick<Opening, "user" | "secret_hash">) =>
  sql`${trackAccess({ user, secret_hash, country: sql`null::text` })} <> 'none'`;

/** Matches a comment on a track that the reader sees. If its owner reveals none, others see their own. */
export const isRevealed = (user: SQL) =>
  sql`(${tracks.revealComments} or ${user} in (${tracks.userId}, ${comments.userId}))`;

/** Access to a track as a playlist's entry, or `none`. `users` must be joined as the track's owner. */
export const entryAccess = (opening: Opening) => accessUnless(isClosedInPlaylist(opening), opening);

/** Matches all tracks except failed ones, which only their owners see in lists. */
export const isShownEntry = ({ user }: Pick<Opening, "user">) =>
  sql`(${tracks.state} <> 'failed' or ${tracks.userId} = ${user})`;

/** Matches a playlist that the reader may see, be it by its secret. `users` must be joined as its owner. */
export const isVisiblePlaylist = ({ user, secret_hash }: Pick<Opening, "user" | "secret_hash">) =>
  and(
    isNull(users.disabledAt),
    sql`(${playlists.sharing} = 'public' or ${playlists.userId} = ${user} or ${playlists.secretHash} = ${secret_hash})`,
  );

const accessUnless = (isClosed: SQL, opening: Opening) => sql<Access | "none">`track_access_rule(
  ${users.disabledAt} is not null, ${tracks.takenDownAt} is not null, ${tracks.userId} = ${opening.user},
  ${isClosed}, ${tracks.streamable}, ${tracks.availableCountryCodes} is not null
    and (${opening.country} = any (${tracks.availableCountryCodes})) is not true, ${tracks.paywall},
  exists (select from ${users} ${sql.raw("reader")} where ${reader.id} = ${opening.user} and ${reader.plan} <> 'free'))`;

import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Database } from "../client.ts";
import { formerAddresses } from "../schema/former-addresses.ts";
import { users } from "../schema/people.ts";
import { playlists } from "../schema/playlists.ts";
import { tracks } from "../schema/tracks.ts";
import { builder, selected } from "../stored-select.ts";
import { callersId, type SignedIn, sessionOf, signedIn } from "./caller.ts";
import { PlaylistWritten } from "./own-playlists.ts";
import { type Change, type Expected, TrackChanged } from "./own-tracks.ts";
import { ChangeOfProfile } from "./people.ts";
import type { PlaylistChange } from "./playlists.ts";
import { isVisiblePlaylist, openingOf, seesTrack } from "./visibility.ts";

/** Permalinks of users, tracks and playlists, as their owners change them. */

/** A resource's address: the owner's permalink and its own, and former ones of its own, newest first. */
export interface AddressRow {
  owner: string;
  permalink: string;
  former: string[];
}

const former = (isOf: ReturnType<typeof and>) =>
  sql<string[]>`array(${builder
    .select({ permalink: formerAddresses.permalink })
    .from(formerAddresses)
    .where(isOf)
    .orderBy(desc(formerAddresses.id))})`;

const ofUser = and(
  eq(formerAddresses.userId, users.id),
  isNull(formerAddresses.trackId),
  isNull(formerAddresses.playlistId),
);

/** The columns of an address. `isOwn` tells whether the caller may change it. */
const columns = (permalink: PgColumn, isOf: ReturnType<typeof and>, { userId }: SignedIn) => ({
  owner: users.permalink,
  permalink: sql<string>`${permalink}`,
  former: former(isOf),
  isOwn: sql<boolean>`${users.id} = ${userId}::bigint`,
});

const trackAddress = (caller: SignedIn, id: number) =>
  selected(
    builder
      .select(columns(tracks.permalink, eq(formerAddresses.trackId, tracks.id), caller))
      .from(tracks)
      .innerJoin(users, eq(users.id, tracks.userId))
      .where(and(signedIn(caller), eq(tracks.id, id), seesTrack(openingOf(caller.userId)))),
  );

const playlistAddress = (caller: SignedIn, id: number) =>
  selected(
    builder
      .select(columns(playlists.permalink, eq(formerAddresses.playlistId, playlists.id), caller))
      .from(playlists)
      .innerJoin(users, eq(users.id, playlists.userId))
      .where(and(signedIn(caller), eq(playlists.id, id), isVisiblePlaylist(openingOf(caller.userId)))),
  );

const userAddress = (caller: SignedIn) =>
  selected(
    builder
      .select(columns(users.permalink, ofUser, caller))
      .from(users)
      .where(and(signedIn(caller), eq(users.id, caller.userId))),
  );

type Found = AddressRow & { isOwn: boolean };

const ownAddress = ([found]: Found[]):
  | { outcome: "done"; address: AddressRow }
  | { outcome: "not_yours" | "unknown" } => {
  if (!found?.isOwn) return { outcome: found ? "not_yours" : "unknown" };
  const { isOwn: _, ...address } = found;
  return { outcome: "done", address };
};

type OfTrack = Change<{ address: AddressRow }>;
type OfPlaylist = PlaylistChange<{ address: AddressRow }>;

export const findTrackAddress = async (db: Database, caller: SignedIn, id: number): Promise<OfTrack> =>
  ownAddress(await db.read(trackAddress(caller, id)));

export const findPlaylistAddress = async (db: Database, caller: SignedIn, id: number): Promise<OfPlaylist> =>
  ownAddress(await db.read(playlistAddress(caller, id)));

/** `undefined` if the user has left. */
export const findUserAddress = async (db: Database, caller: SignedIn): Promise<AddressRow | undefined> =>
  (await db.read(userAddress(caller)))[0];

const chosen = (permalink: string) => ({ permalink, permalink_chosen: true });

/** A repeated change finds what the first one wrote. Its own success would invalidate a condition. */
const sendingOf = (expected: Expected) => (expected ? "once" : "repeatable");

export async function changeTrackPermalink(
  db: Database,
  caller: SignedIn,
  id: number,
  permalink: string,
  expected: Expected,
): Promise<OfTrack> {
  const given = { ...sessionOf(caller), id, changes: chosen(permalink), expected };
  const { reply, read } = await db.callThenRead(
    "update_track",
    TrackChanged,
    given,
    [trackAddress(caller, id)],
    sendingOf(expected),
  );
  return reply.outcome === "done" ? ownAddress(read[0]) : reply;
}

export async function changePlaylistPermalink(
  db: Database,
  caller: SignedIn,
  id: number,
  permalink: string,
  expected: Expected,
): Promise<OfPlaylist> {
  const { reply, read } = await db.callThenRead(
    "update_playlist",
    PlaylistWritten,
    {
      ...sessionOf(caller),
      id,
      changes: chosen(permalink),
      tracks: [],
      replaces: false,
      expected,
      country: null,
      budget: null,
    },
    [playlistAddress(caller, id)],
    sendingOf(expected),
  );
  if (reply.outcome === "over_budget") return { outcome: "unknown" };
  return reply.outcome === "done" ? ownAddress(read[0]) : reply;
}

/** `look` is the look-alike key of the permalink, which no username of others may have. */
export async function changeUserPermalink(
  db: Database,
  caller: SignedIn,
  { permalink, look }: { permalink: string; look: string },
  expected: Expected,
): Promise<{ outcome: "done"; address: AddressRow } | { outcome: Exclude<ChangeOfProfile, "done"> }> {
  const given = { user: callersId(caller), changes: { permalink, permalink_look: look }, expected };
  const { reply, read } = await db.callThenRead(
    "change_profile",
    ChangeOfProfile,
    given,
    [userAddress(caller)],
    sendingOf(expected),
  );
  const [address] = read[0];
  if (reply !== "done") return { outcome: reply };
  return address ? { outcome: "done", address } : { outcome: "unexpected" };
}

import { and, eq, isNull, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { users } from "../schema/people.ts";
import { playlists } from "../schema/playlists.ts";
import { changeOf, type ReplyOf } from "../shape.ts";
import type { Drizzle } from "../transports/open.ts";
import { type BudgetLimit, OverBudget, Spent } from "./budgets.ts";
import { type Caller, callAs, callAtLengthAs, signedIn } from "./caller.ts";
import type { Expected } from "./own-tracks.ts";
import { type PlaylistChange, PlaylistRefusal, PlaylistRow, PlaylistTrack } from "./playlists.ts";
import { isVisiblePlaylist, openingOf } from "./visibility.ts";

const Changed = () => changeOf(PlaylistRefusal(), {});

export interface NewPlaylist {
  /** Columns that the owner may write. */
  fields: Record<string, unknown>;
  /** Preferred permalink, made unique among the owner's. */
  permalink: string;
  secretHash: Uint8Array;
  secretSealed: Uint8Array;
  trackIds: number[];
}

/** A playlist after a write. Its totals follow from the tracks. Null if its owner has left meanwhile. */
const Written = () =>
  z.object({
    playlist: PlaylistRow()
      .omit({
        track_count: true,
        duration_ms: true,
        streamable: true,
        downloadable: true,
        loudness: true,
        track_ids: true,
      })
      .nullable(),
    playlist_tracks: z.array(PlaylistTrack()),
  });
export type Written = ReplyOf<typeof Written>;

/** The playlist, and the budget that the write counted against. */
export const PlaylistWritten = () =>
  z.union([changeOf(PlaylistRefusal(), { ...Written().shape, spent: Spent().nullable() }), OverBudget()]);

export const createPlaylist = (
  db: Database,
  caller: Caller,
  playlist: NewPlaylist,
  country: string | undefined,
  budget: BudgetLimit | null,
) =>
  callAs(db, "create_playlist", PlaylistWritten, caller, {
    playlist: playlist.fields,
    permalink: playlist.permalink,
    secret_hash: playlist.secretHash,
    secret_sealed: playlist.secretSealed,
    tracks: playlist.trackIds,
    country: country ?? null,
    budget,
  });

interface PlaylistUpdate {
  /** Omitted columns stay unchanged. */
  columns: Record<string, unknown>;
  trackIds: number[];
  /** Replaces the present tracks. Otherwise the new ones are appended. */
  replaces: boolean;
  expected: Expected;
}

export function updatePlaylist(
  db: Database,
  caller: Caller,
  id: number,
  { columns, trackIds, replaces, expected }: PlaylistUpdate,
  country: string | undefined,
  budget: BudgetLimit | null,
) {
  const given = {
    id,
    changes: columns,
    tracks: trackIds,
    replaces,
    expected,
    country: country ?? null,
    budget,
  };
  // A conditional update cannot be repeated: its own success invalidates the condition.
  const sending = expected ? "once" : "repeatable";
  // Changing the visibility hides or shows everybody's reposts of it.
  const call = "sharing" in columns ? callAtLengthAs : callAs;
  return call(db, "update_playlist", PlaylistWritten, caller, given, sending);
}

export const removePlaylistTrack = (
  db: Database,
  caller: Caller,
  id: number,
  trackId: number,
  expected: Expected,
) => callAs(db, "remove_playlist_track", Changed, caller, { id, track: trackId, expected });

/** Finds a playlist that the caller may see, so that a refusal can tell another user's playlist from a missing one. */
const visible = (on: Pick<Drizzle, "select">, caller: Caller, id: number) =>
  on
    .select({
      isOwn: sql<boolean | null>`${playlists.userId} = ${caller.userId}`,
      secret_sealed: sql<string>`case when ${playlists.userId} = ${caller.userId} then encode(${playlists.secretSealed}, 'base64') end`,
    })
    .from(playlists)
    .innerJoin(users, eq(users.id, playlists.userId))
    .where(and(signedIn(caller), eq(playlists.id, id), isVisiblePlaylist(openingOf(caller.userId))));

/** `secret_sealed` is Base64 and encrypted. */
export async function findPlaylistSecret(
  db: Database,
  caller: Caller,
  id: number,
): Promise<PlaylistChange<{ secret_sealed: string }>> {
  const [found] = await db.read((on) => visible(on, caller, id));
  return found?.isOwn ? { outcome: "done", secret_sealed: found.secret_sealed } : refusalOf(found);
}

const refusalOf = (found: object | undefined): PlaylistChange<never> => ({
  outcome: found ? "not_yours" : "unknown",
});

/** Deletes a playlist with its favorites and reposts, which may be a million. Its tracks stay. */
export async function deletePlaylist(
  db: Database,
  caller: Caller,
  id: number,
  expected: Expected,
): Promise<PlaylistChange> {
  const isExpected = expected && sql`${playlists.updatedAt} = any (${sql.param(expected)}::timestamptz[])`;
  const deleted = await db.writeAtLength(sql`
    delete from ${playlists} where ${signedIn(caller)} and ${playlists.id} = ${id} and ${playlists.userId} = ${caller.userId}
      and ${isExpected ?? sql`true`} returning ${playlists.id}`);
  if (deleted.length) return { outcome: "done" };
  const [found] = await db.read((on) => visible(on, caller, id));
  return found?.isOwn ? { outcome: "changed" } : refusalOf(found);
}

/** Replaces the secret, which invalidates links with the previous one. */
export async function rotatePlaylistSecret(
  db: Database,
  caller: Caller,
  id: number,
  secret: { secretHash: Uint8Array; secretSealed: Uint8Array },
): Promise<PlaylistChange> {
  const rotated = await db.write(
    (on) =>
      on
        .update(playlists)
        .set({ ...secret, updatedAt: sql`now()` })
        .where(
          and(
            signedIn(caller),
            eq(playlists.id, id),
            eq(playlists.userId, sql`${caller.userId}`),
            // A new secret would open a set that was removed.
            isNull(playlists.takenDownAt),
          ),
        )
        .returning({ id: playlists.id }),
    "repeatable",
  );
  if (rotated.length) return { outcome: "done" };
  const [found] = await db.read((on) => visible(on, caller, id));
  return found?.isOwn ? { outcome: "taken_down" } : refusalOf(found);
}

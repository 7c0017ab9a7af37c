import { and, desc, eq, lt, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { playlists, playlistTracks } from "../schema/playlists.ts";
import { changeOf } from "../shape.ts";
import { builder, selected } from "../stored-select.ts";
import { type BudgetLimit, OverBudget, Spent } from "./budgets.ts";
import { type Caller, repeatAs } from "./caller.ts";
import { visibleEntries } from "./playlist-entries.ts";
import { PlaylistRefusal } from "./playlists.ts";
import { number } from "./show-parts.ts";
import { shownTo, showTracks } from "./show-tracks.ts";
import type { SiteItem } from "./site-pages.ts";
import { openingOf } from "./visibility.ts";

/** Sets that the list shows; one more row says that there are others. */
export const SETS_SHOWN = 100;

/** The caller's playlists, newest first, below the id `before`. */
function ownSets(caller: Caller, track: number, before: number | undefined) {
  const entries = visibleEntries(builder, openingOf(caller.userId), sql`null::text[]`);
  const counted = builder
    .select({ tracks: sql`count(*)`.as("tracks") })
    .from(entries)
    .as("counted");
  const { id, title, permalink, sharing, artworkVersion, artworkColors } = playlists;
  return builder
    .select({
      id,
      title,
      permalink,
      sharing,
      artwork_version: artworkVersion,
      artwork_colors: artworkColors,
      track_count: number(sql`${counted.tracks}`),
      holds: sql<boolean>`exists (select from ${playlistTracks}
        where ${playlistTracks.playlistId} = ${id} and ${playlistTracks.trackId} = ${track})`,
    })
    .from(playlists)
    .innerJoinLateral(counted, sql`true`)
    .where(
      and(eq(playlists.userId, sql`${caller.userId}`), before === undefined ? undefined : lt(id, before)),
    )
    .orderBy(desc(id))
    .limit(SETS_SHOWN + 1);
}

const ANYWHERE = { secretHash: undefined, country: undefined };

interface SetsForTrack {
  /** Null if the caller sees no such track. */
  track: SiteItem | null;
  sets: SetForTrack[];
}

/** Lists the caller's playlists beside a track, each with whether it holds the track. */
export async function listSetsForTrack(
  db: Database,
  caller: Caller,
  track: number,
  before: number | undefined,
): Promise<SetsForTrack> {
  const [[found], sets] = await db.readAll([
    showTracks.with({ ids: [track], ...shownTo(caller, ANYWHERE) }),
    selected(ownSets(caller, track, before)),
  ]);
  return found ? { track: found, sets } : { track: null, sets: [] };
}

export type SetForTrack = Awaited<ReturnType<typeof ownSets>>[number];

const Ordered = () =>
  z.union([
    changeOf(PlaylistRefusal(), {
      spent: Spent().nullable(),
      /** `updated_at` before and after. */
      was: z.string(),
      now: z.string(),
    }),
    OverBudget(),
  ]);

/**
 * Puts the named tracks in this order; others keep their places. Adds and removes none. `changed` if they no longer stand
 * as in `was`; null allows any order.
 */
export const orderPlaylistTracks = (
  db: Database,
  caller: Caller,
  id: number,
  { tracks, was }: { tracks: number[]; was: number[] | null },
  budget: BudgetLimit | null,
) => repeatAs(db, "order_playlist_tracks", Ordered, caller, { id, tracks, was, budget });

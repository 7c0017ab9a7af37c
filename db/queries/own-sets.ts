import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { playlists } from "../schema/playlists.ts";
import { changeOf, type ReplyOf } from "../shape.ts";
import { type BudgetLimit, OverBudget, Spent } from "./budgets.ts";
import { type Caller, callAs, repeatAs } from "./caller.ts";
import { PlaylistRefusal } from "./playlists.ts";
import { SiteItem } from "./site-pages.ts";

/** Sets that the list shows; one more row says that there are others. */
export const SETS_SHOWN = 100;

const SetForTrack = () =>
  rowOf(playlists)
    .pick({ id: true, title: true, permalink: true, sharing: true, artwork_version: true })
    .extend({ track_count: z.number(), holds: z.boolean() });
export type SetForTrack = ReplyOf<typeof SetForTrack>;

const SetsForTrack = () =>
  z.strictObject({
    /** Null if the caller sees no such track. */
    track: SiteItem().nullable(),
    /** The caller's permalink. Null without a track. */
    owner: z.string().nullable(),
    sets: z.array(SetForTrack()),
  });

/** Lists the caller's playlists, newest first, below the id `before`. */
export const listSetsForTrack = (db: Database, caller: Caller, track: number, before: number | undefined) =>
  callAs(db, "list_sets_for_track", SetsForTrack, caller, { track, before: before ?? null });

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

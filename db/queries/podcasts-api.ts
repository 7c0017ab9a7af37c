import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { tracks } from "../schema/tracks.ts";
import { changeOf, type ReplyOf } from "../shape.ts";
import { type BudgetLimit, OverBudget, Spent } from "./budgets.ts";
import { type Caller, callAs, repeatAs } from "./caller.ts";
import { Refusal } from "./own-tracks.ts";
import { PlaylistRefusal } from "./playlists.ts";
import { EpisodeRow, PodcastRow } from "./podcasts.ts";

/** A set and a track by their ids, for the API. The site's forms name them by their addresses: `podcasts.ts`. */

/** `secret_sealed` is Base64 and encrypted. `owner` is the permalink of the set's user. */
const PodcastSet = () =>
  z.strictObject({
    owner: z.string(),
    permalink: z.string(),
    private: z.boolean(),
    /** The one that its feed was given; null until it was first read. */
    guid: z.string().nullable(),
    secret_sealed: z.string(),
  });

export interface ApiPodcast {
  podcast: PodcastRow;
  set: ReplyOf<typeof PodcastSet>;
}

/** `podcast` is null while the set is none. */
export const readPodcast = (db: Database, caller: Caller, id: number) =>
  callAs(
    db,
    "own_podcast",
    () => changeOf(PlaylistRefusal(), { podcast: PodcastRow().nullable(), set: PodcastSet() }),
    caller,
    { id },
  );

/** Omitted fields stay unchanged. */
export const changePodcast = (
  db: Database,
  caller: Caller,
  id: number,
  changes: Partial<PodcastRow>,
  budget: BudgetLimit | null,
) =>
  repeatAs(
    db,
    "change_podcast",
    () =>
      z.union([
        changeOf(PlaylistRefusal(), { podcast: PodcastRow(), set: PodcastSet(), spent: Spent().nullable() }),
        OverBudget(),
      ]),
    caller,
    { id, changes, budget },
  );

/** A set that is no podcast is no error. */
export const endPodcast = (db: Database, caller: Caller, id: number) =>
  repeatAs(db, "end_podcast", () => changeOf(PlaylistRefusal(), {}), caller, { id });

/** `episode` is null until the owner first saved it. Chapters are read from `track`. */
const OwnEpisode = () =>
  changeOf(Refusal(), {
    episode: EpisodeRow().nullable(),
    track: rowOf(tracks).pick({ description: true, duration_ms: true }),
  });

export type ApiEpisode = Omit<Extract<ReplyOf<typeof OwnEpisode>, { outcome: "done" }>, "outcome">;

export const readEpisode = (db: Database, caller: Caller, id: number) =>
  callAs(db, "own_episode", OwnEpisode, caller, { id });

/** Omitted fields stay unchanged. */
export const changeEpisode = (db: Database, caller: Caller, id: number, changes: Partial<EpisodeRow>) =>
  repeatAs(db, "change_episode", OwnEpisode, caller, { id, changes });

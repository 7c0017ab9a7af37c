import { and, eq, isNotNull, ne, or, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { users } from "../schema/people.ts";
import { playlists } from "../schema/playlists.ts";
import { chapters, episodes, podcasts } from "../schema/podcasts.ts";
import { tracks } from "../schema/tracks.ts";
import type { BudgetLimit } from "./budgets.ts";
import { firstRow, type SignedIn, signedIn } from "./caller.ts";
import {
  type EpisodeRow,
  episodeColumns,
  type PodcastRow,
  type PodcastSet,
  podcastColumns,
  type StoredChapters,
  storedChapters,
  writeEpisode,
  writePodcast,
} from "./podcasts.ts";
import { isListedPlaylist, trackAccess } from "./visibility.ts";

/** A set and a track by their ids, for the API. The site's forms name them by their addresses: `podcasts.ts`. */

export interface ApiPodcast {
  podcast: PodcastRow;
  set: PodcastSet;
}

const isCallers = (of: typeof playlists | typeof tracks, { userId }: SignedIn) =>
  sql<boolean>`${of.userId} = ${userId}`;

/** Distinguishes what others may see from what they may not. */
function onlyOwn<Row extends { is_own: boolean }>(
  row: Row | undefined,
): ({ outcome: "done" } & Row) | { outcome: "not_yours" | "unknown" } {
  if (!row) return { outcome: "unknown" };
  return row.is_own ? { outcome: "done", ...row } : { outcome: "not_yours" };
}

/** `podcast` is null if the set is not a podcast. */
export const readPodcast = (db: Database, caller: SignedIn, id: number) =>
  db
    .read((on) =>
      on
        .select({
          is_own: isCallers(playlists, caller),
          podcast: podcastColumns,
          set: {
            owner: users.permalink,
            permalink: playlists.permalink,
            private: sql<boolean>`${playlists.sharing} = 'private'`,
            guid: playlists.podcastGuid,
            secret_sealed: sql<string>`encode(${playlists.secretSealed}, 'base64')`,
          },
        })
        .from(playlists)
        .innerJoin(users, eq(users.id, playlists.userId))
        .leftJoin(podcasts, eq(podcasts.playlistId, playlists.id))
        .where(and(signedIn(caller), eq(playlists.id, id), isListedPlaylist(caller.userId))),
    )
    .then(firstRow)
    .then(onlyOwn);

/** Omitted fields stay unchanged. */
export const changePodcast = (
  db: Database,
  caller: SignedIn,
  id: number,
  changes: Partial<PodcastRow>,
  budget: BudgetLimit | null,
) => writePodcast(db, caller, id, { fields: changes, changed: null, budget });

/** Matches a track that the caller may see. `users` must be joined as its owner. */
const isSeen = (id: number, caller: SignedIn) => {
  const opening = {
    user: sql`${caller.userId}::bigint`,
    secret_hash: sql`null::bytea`,
    country: sql`null::text`,
  };
  return and(signedIn(caller), eq(tracks.id, id), ne(trackAccess(opening), "none"));
};

/** The sources of chapters. */
const ofTrack = {
  description: tracks.description,
  duration_ms: tracks.durationMs,
  chapters: storedChapters,
};

export interface ApiEpisode {
  /** Null until the owner first saved it. */
  episode: EpisodeRow | null;
  track: { description: string | null; duration_ms: number | null; chapters: StoredChapters | null };
}

export const readEpisode = (db: Database, caller: SignedIn, id: number) =>
  db
    .read((on) =>
      on
        .select({ is_own: isCallers(tracks, caller), episode: episodeColumns, track: ofTrack })
        .from(tracks)
        .innerJoin(users, eq(users.id, tracks.userId))
        .leftJoin(episodes, eq(episodes.trackId, tracks.id))
        .leftJoin(chapters, eq(chapters.trackId, tracks.id))
        .where(isSeen(id, caller)),
    )
    .then(firstRow)
    .then(onlyOwn);

/** Omitted fields stay unchanged. */
export const changeEpisode = (db: Database, caller: SignedIn, id: number, changes: Partial<EpisodeRow>) =>
  db
    .write((on) => {
      const isOwn = and(eq(tracks.id, id), isCallers(tracks, caller));
      const episode = on.$with("episode").as(writeEpisode(on, isOwn, changes));
      return (
        on
          .with(episode)
          .select({
            is_own: isCallers(tracks, caller),
            episode: {
              track_id: episode.track_id,
              explicit: episode.explicit,
              season: episode.season,
              number: episode.number,
              episode_type: episode.episode_type,
              transcript_url: episode.transcript_url,
            },
            track: ofTrack,
          })
          .from(tracks)
          .innerJoin(users, eq(users.id, tracks.userId))
          .leftJoin(episode, sql`true`)
          .leftJoin(chapters, eq(chapters.trackId, tracks.id))
          // The caller's own track has no episode if it was deleted meanwhile.
          .where(and(isSeen(id, caller), or(ne(tracks.userId, caller.userId), isNotNull(episode.track_id))))
      );
    }, "repeatable")
    .then(firstRow)
    .then(onlyOwn);

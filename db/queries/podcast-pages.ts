import { and, desc, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { users } from "../schema/people.ts";
import { playlists, playlistTracks } from "../schema/playlists.ts";
import { type Cue, chapters, episodes, podcasts, transcripts } from "../schema/podcasts.ts";
import { tracks } from "../schema/tracks.ts";
import { builder, type Reading, StoredSelect, selected } from "../stored-select.ts";
import { createdAt } from "./caller.ts";
import { visibleEntries } from "./playlist-entries.ts";
import {
  type EpisodeRow,
  episodeColumns,
  type PodcastRow,
  podcastColumns,
  type StoredChapters,
  storedChapters,
} from "./podcasts.ts";
import { isVisiblePlaylist, type Opening, seesTrack, trackAccess } from "./visibility.ts";

/** Reads for the pages of podcasts and episodes, beside the sets and tracks themselves. */

/** A set that its owner offers as a podcast. */
export interface Show {
  title: string;
  permalink: string;
  owner: string;
  private: boolean;
}

export interface EpisodeShown {
  /** Null if the track has none of these fields. */
  episode: EpisodeRow | null;
  /** The newest podcast of the track's owner that holds it, if the reader sees one. */
  show: Show | null;
  language: string | null;
  /** Null unless there is a transcript, and the reader may play the whole track. */
  cues: Cue[] | null;
  /** The same of its chapters, without those of its description. */
  chapters: StoredChapters | null;
}

const OPENING = { user: "bigint", secret_hash: "bytea", country: "text" } as const;

/** Reads a track as an episode. */
export const showEpisode = new StoredSelect("show_episode", { track: "bigint", ...OPENING }, (given, on) => {
  const show = on
    .select({
      title: playlists.title,
      permalink: playlists.permalink,
      language: podcasts.language,
      private: sql<boolean>`${playlists.sharing} = 'private'`.as("is_private"),
    })
    .from(playlistTracks)
    .innerJoin(playlists, eq(playlists.id, playlistTracks.playlistId))
    .innerJoin(podcasts, eq(podcasts.playlistId, playlists.id))
    .where(
      and(
        eq(playlistTracks.trackId, tracks.id),
        eq(playlists.userId, tracks.userId),
        isVisiblePlaylist(given),
      ),
    )
    .orderBy(desc(playlists.id))
    .limit(1)
    .as("show");
  const ifHeard = <Text>(text: SQLWrapper) =>
    sql<Text | null>`case when ${text} is not null
      and (${tracks.userId} = ${given.user} or ${trackAccess(given)} = 'playable') then ${text} end`;
  return on
    .select({
      episode: episodeColumns,
      show: {
        title: show.title,
        permalink: show.permalink,
        owner: sql<string>`${users.permalink}`,
        private: show.private,
      },
      language: sql<string | null>`coalesce(${transcripts.language}, ${show.language})`,
      cues: ifHeard<Cue[]>(transcripts.cues),
      chapters: ifHeard<StoredChapters>(storedChapters),
    })
    .from(tracks)
    .innerJoin(users, eq(users.id, tracks.userId))
    .leftJoin(episodes, eq(episodes.trackId, tracks.id))
    .leftJoin(transcripts, eq(transcripts.trackId, tracks.id))
    .leftJoin(chapters, eq(chapters.trackId, tracks.id))
    .leftJoinLateral(show, sql`true`)
    .where(and(eq(tracks.id, given.track), seesTrack(given)));
});

/** Characters of a description from which a show's page takes the beginning. */
const NOTES = 700;

/** An episode in the list of its show. */
export interface ListedEpisode {
  id: number;
  episode: EpisodeRow | null;
  published_at: string;
  /** The beginning of its HTML, perhaps cut within a tag. */
  notes: string | null;
}

/** Reads the podcast fields of a set. There is no row if it is no podcast. */
export const podcastOf = (set: SQL, opening: Opening): Reading<PodcastRow> =>
  selected(
    builder
      .select(podcastColumns)
      .from(podcasts)
      .innerJoin(playlists, eq(playlists.id, podcasts.playlistId))
      .innerJoin(users, eq(users.id, playlists.userId))
      .where(and(eq(podcasts.playlistId, set), isVisiblePlaylist(opening))),
  );

/** Reads the episodes of a podcast that the reader sees, newest first. There are none if the set is no podcast. */
export const showEpisodes = new StoredSelect("show_episodes", { set: "bigint", ...OPENING }, (given, on) => {
  const entries = visibleEntries(on, given, sql`null::text[]`);
  return on
    .select({
      id: tracks.id,
      episode: episodeColumns,
      published_at: createdAt(tracks.publishedId),
      notes: sql<string | null>`left(${tracks.description}, ${sql.raw(String(NOTES))})`,
    })
    .from(podcasts)
    .innerJoin(playlists, eq(playlists.id, podcasts.playlistId))
    .innerJoin(users, eq(users.id, playlists.userId))
    .innerJoinLateral(entries, sql`true`)
    .innerJoin(tracks, eq(tracks.id, entries.id))
    .leftJoin(episodes, eq(episodes.trackId, tracks.id))
    .where(and(eq(podcasts.playlistId, given.set), isVisiblePlaylist(given)))
    .orderBy(desc(tracks.publishedId));
});

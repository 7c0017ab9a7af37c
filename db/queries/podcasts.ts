import { and, eq, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf, spelledColumns } from "../row-shape.ts";
import { users } from "../schema/people.ts";
import { playlists } from "../schema/playlists.ts";
import {
  type CHAPTER_SOURCES,
  type Chapter,
  chapters,
  episodes,
  podcasts,
  transcripts,
} from "../schema/podcasts.ts";
import { tracks } from "../schema/tracks.ts";
import { changeOf, type ReplyOf } from "../shape.ts";
import { type BudgetLimit, OverBudget, Spent } from "./budgets.ts";
import { type Caller, firstRow, repeatAs, type SignedIn, signedIn } from "./caller.ts";
import { linkedId } from "./links.ts";
import { PlaylistRefusal } from "./playlists.ts";

export const PodcastRow = () => rowOf(podcasts).omit({ playlist_id: true, updated_at: true });
export type PodcastRow = ReplyOf<typeof PodcastRow>;

const { playlist_id, updated_at, category, ...others } = spelledColumns(podcasts);

/** `category` comes first: it is null if a left join found no podcast. */
export const podcastColumns = { category, ...others };

/** The track's id comes first for the same reason. */
export const episodeColumns = {
  track_id: episodes.trackId,
  explicit: episodes.explicit,
  season: episodes.season,
  number: episodes.number,
  episode_type: episodes.episodeType,
  transcript_url: episodes.transcriptUrl,
  guid: episodes.guid,
};

/** A track's chapters as they are stored. */
export interface StoredChapters {
  chapters: Chapter[];
  source: (typeof CHAPTER_SOURCES)[number];
}

/** Null without a row of `chapters`, which must be joined. */
export const storedChapters = sql<StoredChapters | null>`case when ${chapters.trackId} is not null
  then jsonb_build_object('chapters', ${chapters.chapters}, 'source', ${chapters.source}) end`;

type Episode = typeof episodes.$inferSelect;

export type EpisodeRow = Pick<Episode, "explicit" | "season" | "number"> & {
  /** Null: `full`. */
  episode_type: Episode["episodeType"];
  transcript_url: string | null;
};

/** The size of a transcript, without its words. */
const transcriptTotals = {
  track_id: transcripts.trackId,
  language: transcripts.language,
  cues: sql<number>`jsonb_array_length(${transcripts.cues})`,
  end_ms: sql<number>`(${transcripts.cues} #>> '{-1,end}')::float8`,
};

/** `secret_sealed` is Base64 and encrypted. `owner` is the permalink of the set's user. */
const PodcastSet = () =>
  z.strictObject({
    owner: z.string(),
    permalink: z.string(),
    private: z.boolean(),
    /** The feed's stored GUID. Null until the feed was first read. */
    guid: z.string().nullable(),
    secret_sealed: z.string(),
  });
export type PodcastSet = ReplyOf<typeof PodcastSet>;

interface PodcastFields {
  fields: Partial<PodcastRow>;
  /** Names of the fields to write if the set is already a podcast. Null writes all. */
  changed: string[] | null;
  budget: BudgetLimit | null;
}

/** Writes podcast fields of the caller's own set. The first write needs a category, and omitted fields get defaults. */
export const writePodcast = (db: Database, caller: Caller, id: number | SQL, given: PodcastFields) =>
  repeatAs(
    db,
    "change_podcast",
    () =>
      z.union([
        changeOf(PlaylistRefusal(), { podcast: PodcastRow(), set: PodcastSet(), spent: Spent().nullable() }),
        OverBudget(),
      ]),
    caller,
    { id, ...given },
  );

/** Ends the podcast. A set without one is no error. */
export const endPodcast = (db: Database, caller: Caller, id: number | SQL) =>
  repeatAs(db, "change_podcast", () => changeOf(PlaylistRefusal(), {}), caller, {
    id,
    fields: null,
    changed: null,
    budget: null,
  });

/** Writes fields of a track that only feeds show, if it is among `own`. Omitted fields stay unchanged. */
export const writeEpisode = (on: Database["drizzle"], own: SQL | undefined, changes: Partial<EpisodeRow>) => {
  const { explicit, season, number, episode_type: episodeType, transcript_url: transcriptUrl } = changes;
  const orNull = (name: string, value: unknown) => sql`${value ?? null}`.as(name);
  return on
    .insert(episodes)
    .select(
      on
        .select({
          trackId: tracks.id,
          explicit: orNull("explicit", explicit),
          season: orNull("season", season),
          number: orNull("number", number),
          episodeType: orNull("episode_type", episodeType),
          transcriptUrl: orNull("transcript_url", transcriptUrl),
          guid: orNull("guid", null),
          updatedAt: sql`now()`.as("updated_at"),
        })
        .from(tracks)
        .innerJoin(users, eq(users.id, tracks.userId))
        .where(own)
        // A track that is deleted meanwhile is not found. Favorites and comments pass this lock.
        .for("no key update", { of: tracks }),
    )
    .onConflictDoUpdate({
      target: episodes.trackId,
      set: { explicit, season, number, episodeType, transcriptUrl, updatedAt: sql`now()` },
    })
    .returning(episodeColumns);
};

/** A user's own set or track, by its address. */
export interface OwnName {
  owner: string;
  permalink: string;
}

/** Matches the caller's own set or track, by a present or former address. */
const isOwn = (of: typeof playlists | typeof tracks, caller: SignedIn, { owner, permalink }: OwnName) =>
  and(
    signedIn(caller),
    eq(of.userId, caller.userId),
    eq(of.id, linkedId({ kind: of === tracks ? "track" : "playlist", owner, permalink })),
  );

/** `undefined` unless the set is the caller's own. `podcast` is null until the owner first saved its fields. */
export const findPodcast = (db: Database, caller: SignedIn, name: OwnName) =>
  db
    .read((on) =>
      on
        .select({
          id: playlists.id,
          title: playlists.title,
          username: users.username,
          private: sql<boolean>`${playlists.sharing} = 'private'`,
          secret_sealed: sql<string>`encode(${playlists.secretSealed}, 'base64')`,
          has_artwork: sql<boolean>`${playlists.artworkVersion} is not null`,
          podcast: podcastColumns,
        })
        .from(playlists)
        .innerJoin(users, eq(users.id, playlists.userId))
        .leftJoin(podcasts, eq(podcasts.playlistId, playlists.id))
        .where(isOwn(playlists, caller, name)),
    )
    .then(firstRow);
export type OwnPodcast = NonNullable<Awaited<ReturnType<typeof findPodcast>>>;

/**
 * `null` ends the podcast; the set and its feed stay. The fields in `unchanged` keep their values. Returns false
 * unless the set is the caller's own.
 */
export async function savePodcast(
  db: Database,
  caller: SignedIn,
  name: OwnName,
  podcast: PodcastRow | null,
  unchanged: string[],
) {
  const own = db.drizzle
    .select({ id: playlists.id })
    .from(playlists)
    .innerJoin(users, eq(users.id, playlists.userId))
    .where(isOwn(playlists, caller, name));
  const changed = Object.keys(podcast ?? {}).filter((field) => !unchanged.includes(field));
  const { outcome } = podcast
    ? await writePodcast(db, caller, sql`${own}`, { fields: podcast, changed, budget: null })
    : await endPodcast(db, caller, sql`${own}`);
  return outcome === "done";
}

/** `undefined` unless the track is the caller's own. `episode` is null until the owner first saved its fields. */
export const findEpisode = (db: Database, caller: SignedIn, name: OwnName) =>
  db
    .read((on) =>
      on
        .select({
          id: tracks.id,
          title: tracks.title,
          episode: episodeColumns,
          transcript: transcriptTotals,
          chapters: storedChapters,
          description: tracks.description,
          duration_ms: tracks.durationMs,
        })
        .from(tracks)
        .innerJoin(users, eq(users.id, tracks.userId))
        .leftJoin(episodes, eq(episodes.trackId, tracks.id))
        .leftJoin(transcripts, eq(transcripts.trackId, tracks.id))
        .leftJoin(chapters, eq(chapters.trackId, tracks.id))
        .where(isOwn(tracks, caller, name)),
    )
    .then(firstRow);
export type OwnEpisode = NonNullable<Awaited<ReturnType<typeof findEpisode>>>;

/** Omitted fields stay unchanged. Returns false unless the track is the caller's own. */
export async function saveEpisode(
  db: Database,
  caller: SignedIn,
  name: OwnName,
  changes: Partial<EpisodeRow>,
) {
  const saved = await db.write((on) => writeEpisode(on, isOwn(tracks, caller, name), changes));
  return saved.length > 0;
}

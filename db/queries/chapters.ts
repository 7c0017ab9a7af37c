import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Database, Reader } from "../client.ts";
import { users } from "../schema/people.ts";
import { type Chapter, chapterPictures, chapters } from "../schema/podcasts.ts";
import { tracks } from "../schema/tracks.ts";
import { builder, selected } from "../stored-select.ts";
import { type Caller, firstRow, type SignedIn } from "./caller.ts";
import { presentTrack } from "./links.ts";
import { type StoredChapters, storedChapters, writeEpisode } from "./podcasts.ts";
import { shownTo, showTracks } from "./show-tracks.ts";
import type { AccessFacts } from "./track-rows.ts";
import { type Found, ownBy, ownIds, ownTrack, trackSeen, writeBeside } from "./transcripts.ts";

export interface FoundChapters extends Found {
  /** Null if the track has none but perhaps those of its description. */
  stored: StoredChapters | null;
  description: string | null;
  duration_ms: number | null;
}

const seenChapters = (on: Reader, caller: Caller, which: SQL, facts: AccessFacts) => {
  const { columns, isSeen } = trackSeen(caller, which, facts);
  return on
    .select({
      ...columns,
      stored: storedChapters,
      description: tracks.description,
      duration_ms: tracks.durationMs,
    })
    .from(tracks)
    .innerJoin(users, eq(users.id, tracks.userId))
    .leftJoin(chapters, eq(chapters.trackId, tracks.id))
    .where(isSeen);
};

/** Reads what a track's chapters are made from. `undefined` if the caller sees no such track. */
export const findChapters = (db: Database, caller: Caller, which: SQL, facts: AccessFacts) =>
  db
    .read((on) => seenChapters(on, caller, which, facts))
    .then((rows): FoundChapters | undefined => firstRow(rows));

/** Finds a track, or the one that took its place, with its stored chapters. `undefined` if the caller sees no such track. */
export async function findChapteredTrack(db: Database, caller: Caller, id: number, facts: AccessFacts) {
  const present = presentTrack(id);
  const [[track], [beside]] = await db.readAll([
    showTracks.with({ ...shownTo(caller, facts), ids: sql`array[${present}]` }),
    selected(seenChapters(builder, caller, sql`${tracks.id} = ${present}`, facts)),
  ]);
  return track && { track, stored: beside?.stored ?? null };
}

/** Deletes pictures that no chapter of the track names any more. */
const dropUnnamed = (on: Database["drizzle"], own: SQL | undefined) =>
  on.delete(chapterPictures).where(
    and(
      inArray(chapterPictures.trackId, ownIds(on, own)),
      sql`not exists (select from ${chapters} where ${chapters.trackId} = ${chapterPictures.trackId}
        and ${chapters.chapters} @> jsonb_build_array(jsonb_build_object('picture', ${chapterPictures.version})))`,
    ),
  );

/** Stores, replaces or, with null, removes the chapters of the caller's track. */
export const writeChapters = (db: Database, caller: SignedIn, which: SQL, given: Chapter[] | null) =>
  writeBeside(db, caller, which, (on, own) => [
    given
      ? on
          .insert(chapters)
          .select(
            ownTrack(on, own, {
              chapters: sql`${JSON.stringify(given)}::jsonb`.as("chapters"),
              source: sql`'uploaded'`.as("source"),
            }),
          )
          .onConflictDoUpdate({
            target: chapters.trackId,
            set: { chapters: sql`excluded.chapters`, source: sql`excluded.source`, updatedAt: sql`now()` },
          })
      : on.delete(chapters).where(inArray(chapters.trackId, ownIds(on, own))),
    dropUnnamed(on, own),
  ]);

/**
 * Gives a stored picture to the chapter that begins at `start`, or takes its picture away with null. Returns the chapters
 * as they are then; `undefined` if the caller sees no such track.
 */
export const writeChapterPicture = (
  db: Database,
  caller: SignedIn,
  which: SQL,
  start: number,
  version: string | null,
) =>
  db
    .writeAll((on) => {
      const own = ownBy(caller, which);
      const isMeant = and(inArray(chapters.trackId, ownIds(on, own)), hasStart(start));
      const picture = JSON.stringify(version === null ? {} : { picture: version });
      return [
        on
          .update(chapters)
          .set({
            chapters: sql`(select jsonb_agg(case when (one->>'start')::float8 = ${start}
              then one - 'img' - 'picture' || ${picture}::jsonb else one end order by place)
              from jsonb_array_elements(${chapters.chapters}) with ordinality each (one, place))`,
            updatedAt: sql`now()`,
          })
          .where(isMeant),
        on
          .insert(chapterPictures)
          .select(
            on
              .select({ version: sql`${version}::text`.as("version"), trackId: chapters.trackId })
              .from(chapters)
              .where(and(isMeant, sql`${version}::text is not null`)),
          )
          .onConflictDoNothing(),
        dropUnnamed(on, own),
        writeEpisode(on, own, {}),
        seenChapters(on, caller, which, { secretHash: undefined, country: undefined }),
      ];
    }, "repeatable")
    .then((rows): FoundChapters | undefined => firstRow(rows));

const hasStart = (start: number) => sql`${chapters.chapters} @> ${JSON.stringify([{ start }])}::jsonb`;

import { and, eq, inArray, ne, type SQL, sql } from "drizzle-orm";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import type { Database } from "../client.ts";
import { users } from "../schema/people.ts";
import { type Cue, transcripts } from "../schema/podcasts.ts";
import { tracks } from "../schema/tracks.ts";
import { type Caller, firstRow, type SignedIn, signedIn } from "./caller.ts";
import { linkedId } from "./links.ts";
import { writeEpisode } from "./podcasts.ts";
import type { Access, AccessFacts } from "./track-rows.ts";
import { openingOf, trackAccess } from "./visibility.ts";

/** Transcripts of tracks, and what they share with chapters. Whoever may hear the whole track reads them. */

export interface Found {
  access: Access;
  /** Whether it is the caller's. */
  is_own: boolean;
  private: boolean;
}

export const trackSeen = (caller: Caller, which: SQL, { secretHash, country }: AccessFacts) => {
  const access = trackAccess(openingOf(caller.userId, secretHash, country));
  return {
    columns: {
      access: sql<Access>`${access}`,
      is_own: sql<boolean>`coalesce(${tracks.userId} = ${caller.userId}::bigint, false)`,
      private: sql<boolean>`${tracks.sharing} = 'private'`,
    },
    isSeen: and(signedIn(caller), which, ne(access, "none")),
  };
};

export interface FoundTranscript extends Found {
  language: string | null;
  /** Null if the track has no transcript. */
  cues: Cue[] | null;
}

/** Reads a track's transcript. `undefined` if the caller sees no such track. */
export const findTranscript = (db: Database, caller: Caller, which: SQL, facts: AccessFacts) =>
  db
    .read((on) => {
      const { columns, isSeen } = trackSeen(caller, which, facts);
      return on
        .select({ ...columns, language: transcripts.language, cues: transcripts.cues })
        .from(tracks)
        .innerJoin(users, eq(users.id, tracks.userId))
        .leftJoin(transcripts, eq(transcripts.trackId, tracks.id))
        .where(isSeen);
    })
    .then((rows): FoundTranscript | undefined => firstRow(rows));

interface NewTranscript {
  language: string | null;
  cues: Cue[];
}

export type Written = "done" | "not_yours" | "unknown";

/** Makes the statements that store or remove a text of the tracks that match. */
type Storing = (on: Database["drizzle"], own: SQL | undefined) => RunnableQuery<unknown, "pg">[];

/** Writes beside the caller's own track, and moves the date of its feeds. */
export async function writeBeside(
  db: Database,
  caller: SignedIn,
  which: SQL,
  storing: Storing,
): Promise<Written> {
  const own = ownBy(caller, which);
  const { columns, isSeen } = trackSeen(caller, which, { secretHash: undefined, country: undefined });
  const [found] = await db.writeAll(
    (on) => [
      ...(storing(on, own) as ReturnType<typeof writeEpisode>[]),
      writeEpisode(on, own, {}),
      on
        .select({ is_own: columns.is_own })
        .from(tracks)
        .innerJoin(users, eq(users.id, tracks.userId))
        .where(isSeen),
    ],
    "repeatable",
  );
  return found ? (found.is_own ? "done" : "not_yours") : "unknown";
}

export const ownBy = (caller: SignedIn, which: SQL) =>
  and(signedIn(caller), which, eq(tracks.userId, caller.userId));

/** The caller's own track, locked, so that one that is deleted meanwhile is not found. */
export const ownTrack = <Values extends Record<string, SQL.Aliased>>(
  on: Database["drizzle"],
  own: SQL | undefined,
  values: Values,
) =>
  on
    .select({ trackId: tracks.id, ...values, updatedAt: sql`now()`.as("updated_at") })
    .from(tracks)
    .innerJoin(users, eq(users.id, tracks.userId))
    .where(own)
    .for("no key update", { of: tracks });

export const ownIds = (on: Database["drizzle"], own: SQL | undefined) =>
  on.select({ id: tracks.id }).from(tracks).innerJoin(users, eq(users.id, tracks.userId)).where(own);

/** Stores, replaces or, with null, removes the transcript of the caller's track. */
export const writeTranscript = (db: Database, caller: SignedIn, which: SQL, given: NewTranscript | null) =>
  writeBeside(db, caller, which, (on, own) => [
    given
      ? on
          .insert(transcripts)
          .select(
            ownTrack(on, own, {
              language: sql`${given.language}`.as("language"),
              cues: sql`${JSON.stringify(given.cues)}::jsonb`.as("cues"),
            }),
          )
          .onConflictDoUpdate({
            target: transcripts.trackId,
            set: { language: sql`excluded.language`, cues: sql`excluded.cues`, updatedAt: sql`now()` },
          })
      : on.delete(transcripts).where(inArray(transcripts.trackId, ownIds(on, own))),
  ]);

/** A track by its id. */
export const trackOfId = (id: number) => sql`${tracks.id} = ${id}`;

/** A track by the two parts of a present or former address. */
export const trackOfName = (name: { owner: string; permalink: string }) =>
  eq(tracks.id, linkedId({ kind: "track", ...name }));

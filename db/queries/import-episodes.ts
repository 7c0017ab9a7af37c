import { and, asc, eq, gt, inArray, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { users } from "../schema/people.ts";
import { podcastImportEpisodes, podcastImports } from "../schema/podcast-imports.ts";
import { encodingJobs, tracks } from "../schema/tracks.ts";
import { firstRow, moment, type SignedIn, signedIn } from "./caller.ts";
import { episodeStep, isOwnImport } from "./podcast-imports.ts";

/** Episodes of a podcast that moves in, as its user sees them. */

/** Lists episodes after a position, in the feed's order. The first row tells whether the import is the caller's. */
export const listImportEpisodes = (
  db: Database,
  caller: SignedIn,
  importId: number,
  after: number,
  limit: number,
) =>
  db.read((on) =>
    on
      .select({
        id: podcastImportEpisodes.id,
        position: podcastImportEpisodes.position,
        guid: podcastImportEpisodes.guid,
        title: podcastImportEpisodes.title,
        published_at: moment<string | null>(podcastImportEpisodes.publishedAt),
        size: podcastImportEpisodes.size,
        fetched: podcastImportEpisodes.fetched,
        step: episodeStep,
        reason: podcastImportEpisodes.reason,
        track_id: tracks.id,
        track: tracks.permalink,
        owner: users.permalink,
        encoded: sql<number>`${encodingJobs.progress}`,
        encode_fault: encodingJobs.failureReason,
      })
      .from(podcastImportEpisodes)
      .innerJoin(podcastImports, eq(podcastImports.id, podcastImportEpisodes.importId))
      .innerJoin(users, eq(users.id, podcastImports.userId))
      .leftJoin(tracks, eq(tracks.id, podcastImportEpisodes.trackId))
      .leftJoin(encodingJobs, eq(encodingJobs.trackId, tracks.id))
      .where(
        and(
          signedIn(caller),
          eq(podcastImports.userId, caller.userId),
          eq(podcastImportEpisodes.importId, importId),
          gt(podcastImportEpisodes.position, after),
        ),
      )
      .orderBy(asc(podcastImportEpisodes.position))
      .limit(limit),
  );

export type ImportEpisodeRow = Awaited<ReturnType<typeof listImportEpisodes>>[number];

/**
 * Lets a failed episode wait again, and its import run. `undefined` if it is not the caller's; `false` if it stays
 * failed, because another import runs or this one was cancelled. One that waits keeps its time, because its server may
 * have asked for a rest.
 */
export const retryEpisode = (db: Database, caller: SignedIn, importId: number, episode: number) =>
  db
    .writeAll((on) => {
      const others = on
        .select({ one: sql`1` })
        .from(podcastImports)
        .where(
          and(
            eq(podcastImports.userId, caller.userId),
            eq(podcastImports.state, "running"),
            sql`${podcastImports.id} <> ${importId}`,
          ),
        );
      const restarts = sql`${podcastImportEpisodes.state} = 'failed' and exists (select from ${podcastImports}
        where ${podcastImports.id} = ${importId} and ${podcastImports.state} = 'running')`;
      return [
        on
          .update(podcastImports)
          .set({ state: "running", endedAt: null, nextRunAt: sql`now()` })
          .where(
            and(
              isOwnImport(caller, importId),
              inArray(podcastImports.state, ["running", "done"]),
              sql`not exists ${others}`,
              sql`exists (select from ${podcastImportEpisodes} where ${podcastImportEpisodes.id} = ${episode}
                and ${podcastImportEpisodes.importId} = ${importId} and ${podcastImportEpisodes.state} = 'failed')`,
            ),
          ),
        on
          .update(podcastImportEpisodes)
          .set({
            state: sql`case when ${restarts} then 'waiting' else ${podcastImportEpisodes.state} end`,
            attempts: sql`case when ${restarts} then 0 else ${podcastImportEpisodes.attempts} end`,
            nextRunAt: sql`case when ${restarts} then now() else ${podcastImportEpisodes.nextRunAt} end`,
          })
          .where(
            and(
              eq(podcastImportEpisodes.id, episode),
              eq(podcastImportEpisodes.importId, importId),
              inArray(
                podcastImportEpisodes.importId,
                on
                  .select({ id: podcastImports.id })
                  .from(podcastImports)
                  .where(isOwnImport(caller, importId)),
              ),
            ),
          )
          .returning({ state: podcastImportEpisodes.state }),
      ];
    })
    .then(firstRow)
    .then((row) => row && row.state !== "failed");

import { and, asc, eq, lte, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { users } from "../schema/people.ts";
import { playlists } from "../schema/playlists.ts";
import { podcastImportEpisodes, podcastImports } from "../schema/podcast-imports.ts";
import { objectGarbage } from "../schema/uploads.ts";
import { firstRow } from "./caller.ts";
import { dueAfterStoring } from "./garbage.ts";

/** The background's statements. A lease says who fetches an episode; whoever lost it changes nothing. */

/** Seconds between two signs of life after which another attempt takes over. */
const LEASE_S = 60;
const leaseEnd = sql`now() + make_interval(secs => ${sql.raw(String(LEASE_S))})`;

const { id, importId, state, leaseToken } = podcastImportEpisodes;

/** Matches imports that may go on. Others wait for the end of their owner's suspension, or for their set to be restored. */
const mayGoOn = sql`not exists (select from ${users} o where o.id = ${podcastImports.userId} and o.disabled_at is not null)
  and not exists (select from ${playlists} s where s.id = ${podcastImports.playlistId} and s.taken_down_at is not null)`;

/** Matches a running import of which an episode is due and none is fetched. Another import may keep its server busy. */
export const isIdle = sql`${podcastImports.state} = 'running' and ${podcastImports.nextRunAt} <= now() and ${mayGoOn}
  and exists (select from ${podcastImportEpisodes} e where e.import_id = ${podcastImports.id}
    and (e.state = 'waiting' and e.next_run_at <= now() or e.state = 'fetching'))
  and not exists (select from ${podcastImportEpisodes} e where e.import_id = ${podcastImports.id}
    and e.state = 'fetching' and e.lease_until > now())`;

/** Lists running imports with an episode to fetch, those first that rested longest. */
export const dueImports = (db: Database, limit: number): Promise<number[]> =>
  db
    .read((on) =>
      on
        .select({ id: podcastImports.id })
        .from(podcastImports)
        .where(
          and(eq(podcastImports.state, sql`'running'`), lte(podcastImports.nextRunAt, sql`now()`), mayGoOn),
        )
        .orderBy(asc(podcastImports.nextRunAt))
        .limit(limit),
    )
    .then((rows) => rows.map((row) => row.id));

/**
 * Leases the next episode of an import, or one whose attempt was lost. `undefined` if none is due, or if somebody fetches
 * another of the import or from the same server. A begun file keeps its key, unless its garbage is soon due.
 */
export const leaseEpisode = (db: Database, ofImport: number, lease: string) =>
  db
    .writeAll((on) => {
      const isKept = sql`exists (select from ${objectGarbage} where ${objectGarbage.prefix} = ${podcastImportEpisodes.objectKey}
        and ${objectGarbage.dueAt} > now() + interval '1 hour')`;
      const next = sql`(select e.id from ${podcastImportEpisodes} e join ${podcastImports} on ${podcastImports.id} = e.import_id
        where ${podcastImports.id} = ${ofImport} and ${podcastImports.state} = 'running' and ${podcastImports.nextRunAt} <= now()
          and ${mayGoOn} and (e.state = 'waiting' and e.next_run_at <= now() or e.state = 'fetching' and e.lease_until <= now())
          and not exists (select from ${podcastImportEpisodes} o where o.state = 'fetching' and o.lease_until > now()
            and (o.import_id = e.import_id or o.host = e.host))
        order by e.state = 'fetching' desc, e.position limit 1)`;
      return [
        // Two leases at once would not see each other's server.
        on
          .select({ lock: sql`pg_advisory_xact_lock(hashtext('podcast_host'), 0)` })
          .from(sql`(values (1)) one`),
        on
          .update(podcastImportEpisodes)
          .set({
            state: "fetching",
            leaseToken: lease,
            leaseUntil: leaseEnd,
            attempts: sql`${podcastImportEpisodes.attempts} + 1`,
            // The same form as `originalKey` makes.
            objectKey: sql`case when ${isKept} then ${podcastImportEpisodes.objectKey} else 'in/' || (
              select ${podcastImports.userId} from ${podcastImports} where ${podcastImports.id} = ${ofImport}
              ) || '/' || gen_random_uuid() end`,
            storageUploadId: sql`case when ${isKept} then ${podcastImportEpisodes.storageUploadId} end`,
            validator: sql`case when ${isKept} then ${podcastImportEpisodes.validator} end`,
            fetched: sql`case when ${isKept} then ${podcastImportEpisodes.fetched} else 0 end`,
          })
          .where(eq(id, next)),
        on.execute(sql`insert into ${objectGarbage} (prefix, bucket, due_at)
          select ${podcastImportEpisodes.objectKey}, 'uploads', ${dueAfterStoring} from ${podcastImportEpisodes}
          where ${leaseToken} = ${lease} on conflict (prefix) do nothing`),
        on
          .select({
            id,
            user_id: podcastImports.userId,
            import_id: podcastImports.id,
            guid: podcastImportEpisodes.guid,
            title: podcastImportEpisodes.title,
            item: podcastImportEpisodes.item,
            attempts: podcastImportEpisodes.attempts,
            size: podcastImportEpisodes.size,
            validator: podcastImportEpisodes.validator,
            object_key: sql<string>`${podcastImportEpisodes.objectKey}`,
            storage_upload_id: podcastImportEpisodes.storageUploadId,
            show: podcastImports.show,
            /** Why the file would be fetched in vain. The quota is exact only when the track is made. */
            refused: sql<
              "no_set" | "over_quota" | null
            >`case when ${podcastImports.playlistId} is null then 'no_set'
              when quota_refusal(${podcastImports.userId}, coalesce(${podcastImportEpisodes.size}, 1)) is not null then 'over_quota' end`,
          })
          .from(podcastImportEpisodes)
          .innerJoin(podcastImports, eq(podcastImports.id, importId))
          .where(and(eq(leaseToken, lease), eq(state, "fetching"))),
      ];
    })
    .then(firstRow);

export type LeasedEpisode = NonNullable<Awaited<ReturnType<typeof leaseEpisode>>>;

interface Progress {
  fetched?: number;
  size?: number | null;
  validator?: string | null;
  storageUploadId?: string | null;
  attempts?: number;
}

const isLeased = (episode: number, lease: string) =>
  and(eq(id, episode), eq(state, "fetching"), eq(leaseToken, lease));

/** Notes progress and renews the lease. False if it was lost, by a cancellation too. */
export const noteProgress = (db: Database, episode: number, lease: string, progress: Progress) =>
  db
    .write((on) =>
      on
        .update(podcastImportEpisodes)
        .set({ ...progress, leaseUntil: leaseEnd })
        .where(isLeased(episode, lease))
        .returning({ id }),
    )
    .then(({ length }) => length > 0);

/** Begins a file anew under another key, whose garbage is listed first. */
export const beginAnew = (db: Database, episode: number, lease: string, objectKey: string) =>
  db
    .writeAll((on) => [
      on.insert(objectGarbage).values({ prefix: objectKey, bucket: "uploads", dueAt: dueAfterStoring }),
      on
        .update(podcastImportEpisodes)
        .set({ objectKey, storageUploadId: null, validator: null, fetched: 0, leaseUntil: leaseEnd })
        .where(isLeased(episode, lease))
        .returning({ id }),
    ])
    .then(({ length }) => length > 0);

interface Failure {
  reason: string;
  /** Null if no attempt follows. */
  retryInS: number | null;
  /** The server asked everybody to wait. */
  restS: number | null;
}

/** Ends an attempt that failed. What was stored of the file is kept for the next. */
export const failAttempt = (
  db: Database,
  episode: { id: number; import_id: number },
  lease: string,
  { reason, retryInS, restS }: Failure,
) =>
  db.writeAll((on) => [
    // The import is locked before its episodes, as where one becomes a track.
    on
      .update(podcastImports)
      .set({ nextRunAt: sql`now() + make_interval(secs => ${restS ?? 0}::float8)` })
      .where(and(eq(podcastImports.id, episode.import_id), eq(podcastImports.state, "running"))),
    on
      .update(podcastImportEpisodes)
      .set({
        state: retryInS === null ? "failed" : "waiting",
        reason,
        leaseToken: null,
        leaseUntil: null,
        nextRunAt: sql`now() + make_interval(secs => ${retryInS ?? 0}::float8)`,
      })
      .where(isLeased(episode.id, lease)),
  ]);

/** Ends an import that has nothing left to fetch. Returns the seconds until an episode is due that waits; null if none does. */
export const endImport = (db: Database, ofImport: number) =>
  db
    .writeAll((on) => [
      on
        .update(podcastImports)
        .set({ state: "done", endedAt: sql`now()` })
        .where(
          and(
            eq(podcastImports.id, ofImport),
            eq(podcastImports.state, "running"),
            sql`not exists (select from ${podcastImportEpisodes} where ${importId} = ${podcastImports.id}
              and ${state} in ('waiting', 'fetching'))`,
          ),
        ),
      on
        .select({
          due_in_s: sql<number>`extract(epoch from greatest(${podcastImports.nextRunAt},
            min(${podcastImportEpisodes.nextRunAt})) - now())::float8`,
        })
        .from(podcastImportEpisodes)
        .innerJoin(podcastImports, eq(podcastImports.id, importId))
        .where(
          and(
            eq(podcastImports.id, ofImport),
            eq(podcastImports.state, "running"),
            eq(state, "waiting"),
            mayGoOn,
          ),
        )
        .groupBy(podcastImports.nextRunAt),
    ])
    .then(firstRow)
    .then((row) => row?.due_in_s ?? null);

interface StoredEpisode {
  size: number;
  filename: string;
  type: string;
  track: object;
  fields: object;
  texts: object;
  permalink: string;
  secretHash: Uint8Array;
  secretSealed: Uint8Array;
}

export const acceptEpisode = (db: Database, episode: number, lease: string, stored: StoredEpisode) =>
  db.call(
    "accept_imported_episode",
    () =>
      z.union([
        z.strictObject({ outcome: z.literal("done"), track: z.number() }),
        z.strictObject({
          outcome: z.enum(["lost", "expired", "no_set", "past_limit", "already_here", "over_quota"]),
        }),
      ]),
    {
      episode,
      lease,
      size: stored.size,
      filename: stored.filename,
      type: stored.type,
      track: stored.track,
      fields: stored.fields,
      texts: stored.texts,
      permalink: stored.permalink,
      secret_hash: stored.secretHash,
      secret_sealed: stored.secretSealed,
    },
  );

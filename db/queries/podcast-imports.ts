import { and, desc, eq, inArray, lt, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database, Reader } from "../client.ts";
import { accounts, users } from "../schema/people.ts";
import { playlists } from "../schema/playlists.ts";
import { type Item, podcastImportEpisodes, podcastImports, type Show } from "../schema/podcast-imports.ts";
import { tracks } from "../schema/tracks.ts";
import type { BudgetLimit, Spent } from "./budgets.ts";
import { callAs, createdAt, firstRow, moment, type SignedIn, signedIn } from "./caller.ts";

/** Podcasts that move in, as their users see them. `import-turns.ts` fetches the files. */

/** Whether the caller may have a feed read, and the budget that this has counted against. */
export const takeImport = (db: Database, caller: SignedIn, budget: BudgetLimit | null) =>
  db
    .write((on) =>
      on
        .select({
          confirmed: sql<boolean>`${accounts.confirmedAt} is not null`,
          spent: sql<Spent | null>`case when ${accounts.confirmedAt} is not null
            then take_user_budget(${JSON.stringify(budget)}::jsonb, ${caller.userId}, ${caller.clientId}) end`,
        })
        .from(accounts)
        .where(and(signedIn(caller), eq(accounts.userId, caller.userId))),
    )
    .then(firstRow);

/** An item of a feed, to be stored. A `reason` leaves it out. */
export interface NewEpisode {
  position: number;
  guid: string;
  title: string;
  published_at: string | null;
  /** Empty if it is left out. */
  item: Item | Record<string, never>;
  host: string | null;
  size: number | null;
  reason: string | null;
}

interface NewImport {
  feed_url: string;
  title: string;
  show: Show;
  owner_email: string | null;
}

interface Code {
  hash: string;
  sealed: Uint8Array;
}

export const openImport = (
  db: Database,
  caller: SignedIn,
  made: NewImport,
  episodes: object & { all: NewEpisode[] },
  code: Code,
) =>
  callAs(
    db,
    "open_podcast_import",
    () => z.strictObject({ outcome: z.literal("done"), id: z.number() }),
    caller,
    { import: made, episodes, code_hash: code.hash, code_sealed: code.sealed },
  );

interface NewSet {
  set: { title: string; description: string | null; sanitizer_version: number; guid: string | null };
  podcast: object;
  permalink: string;
  secretHash: Uint8Array;
  secretSealed: Uint8Array;
}

interface Proof {
  /** Empty without a code. */
  codeHash: string;
  /** The text was found in the feed. */
  inFeed: boolean;
  mostTries: number;
}

/** Repeating it is harmless: an import that runs is `done`. */
export const startImport = (
  db: Database,
  caller: SignedIn,
  id: number,
  { codeHash, inFeed, mostTries }: Proof,
  { set, podcast, permalink, secretHash, secretSealed }: NewSet,
) =>
  callAs(
    db,
    "start_podcast_import",
    () =>
      z.strictObject({
        outcome: z.enum(["done", "unknown", "ended", "too_many_tries", "wrong_code", "another_runs"]),
      }),
    caller,
    {
      import: id,
      code_hash: codeHash,
      in_feed: inFeed,
      most_tries: mostTries,
      set,
      podcast,
      permalink,
      secret_hash: secretHash,
      secret_sealed: secretSealed,
    },
  );

/** An episode ends with its track's encode. */
export const episodeStep = sql<EpisodeStep>`case when ${podcastImportEpisodes.state} <> 'imported' then ${podcastImportEpisodes.state}
  else case ${tracks.state} when 'processing' then 'encoding' when 'failed' then 'failed' else 'done' end end`;

export const EPISODE_STEPS = [
  "waiting",
  "fetching",
  "encoding",
  "done",
  "failed",
  "left_out",
  "cancelled",
] as const;
type EpisodeStep = (typeof EPISODE_STEPS)[number];

const counts = sql<Partial<Record<EpisodeStep, number>>>`coalesce((
  select jsonb_object_agg(step, episodes) from (
    select ${episodeStep} as step, count(*) as episodes from ${podcastImportEpisodes}
    left join ${tracks} on ${tracks.id} = ${podcastImportEpisodes.trackId}
    where ${podcastImportEpisodes.importId} = ${podcastImports.id} group by 1) counted), '{}')`;

const bytes = sql<number>`coalesce((select sum(${podcastImportEpisodes.size}) from ${podcastImportEpisodes}
  where ${podcastImportEpisodes.importId} = ${podcastImports.id}
    and ${podcastImportEpisodes.state} <> 'left_out'), 0)::float8`;

const columns = {
  id: podcastImports.id,
  user_id: podcastImports.userId,
  created_at: createdAt(podcastImports.id),
  feed_url: podcastImports.feedUrl,
  state: podcastImports.state,
  title: podcastImports.title,
  show: podcastImports.show,
  owner_email: podcastImports.ownerEmail,
  tries: podcastImports.tries,
  playlist_id: podcastImports.playlistId,
  playlist: sql<string | null>`${playlists.permalink}`,
  playlist_removed: sql<boolean>`${playlists.takenDownAt} is not null`,
  owner: users.permalink,
  started_at: moment<string | null>(podcastImports.startedAt),
  ended_at: moment<string | null>(podcastImports.endedAt),
  counts,
  bytes,
};

const ownImports = (on: Reader, caller: SignedIn, condition: SQL) =>
  on
    .select(columns)
    .from(podcastImports)
    .innerJoin(users, eq(users.id, podcastImports.userId))
    .leftJoin(playlists, eq(playlists.id, podcastImports.playlistId))
    .where(and(signedIn(caller), eq(podcastImports.userId, caller.userId), condition));

/** Lists the caller's imports below `before`, newest first. */
export const listImports = (db: Database, caller: SignedIn, before: number, limit: number) =>
  db.read((on) =>
    ownImports(on, caller, lt(podcastImports.id, before)).orderBy(desc(podcastImports.id)).limit(limit),
  );

export const findImport = (db: Database, caller: SignedIn, id: number) =>
  db.read((on) => ownImports(on, caller, eq(podcastImports.id, id))).then(firstRow);

export type ImportRow = NonNullable<Awaited<ReturnType<typeof findImport>>>;

export const isOwnImport = (caller: SignedIn, id: number) =>
  and(signedIn(caller), eq(podcastImports.id, id), eq(podcastImports.userId, caller.userId));

/** Ends an import: a preview is forgotten, and what runs fetches nothing more. Tracks that it made stay. */
export async function cancelImport(db: Database, caller: SignedIn, id: number) {
  const [found] = await db.writeAll((on) => [
    // The import is locked before its episodes, as where one becomes a track.
    on.select({ id: podcastImports.id }).from(podcastImports).where(isOwnImport(caller, id)).for("update"),
    on
      .update(podcastImportEpisodes)
      .set({ state: "cancelled", leaseToken: null, leaseUntil: null })
      .where(
        and(
          inArray(podcastImportEpisodes.state, ["waiting", "fetching"]),
          inArray(
            podcastImportEpisodes.importId,
            on.select({ id: podcastImports.id }).from(podcastImports).where(isOwnImport(caller, id)),
          ),
        ),
      ),
    on
      .update(podcastImports)
      .set({
        state: sql`case when ${podcastImports.state} = 'done' then 'done' else 'cancelled' end`,
        endedAt: sql`coalesce(${podcastImports.endedAt}, now())`,
        codeHash: null,
      })
      .where(isOwnImport(caller, id))
      .returning({ id: podcastImports.id }),
  ]);
  return found !== undefined;
}

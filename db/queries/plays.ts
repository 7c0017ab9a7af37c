import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { recentPlays } from "../schema/plays.ts";
import { trackDocuments as documents } from "../schema/search.ts";
import { choiceOf } from "../stored-select.ts";
import { type Caller, repeatAs, type SignedIn } from "./caller.ts";
import { Changed } from "./own-tracks.ts";
import { shownTo, showTracks } from "./show-tracks.ts";
import { documentQuery, fitting } from "./track-filters.ts";
import { type OrderedTracksQuery, type TrackList, toTrackList } from "./track-lists.ts";
import { type AccessFacts, accessParameters, TrackRow } from "./track-rows.ts";

/** One play of a track, as in the queue's message. */
export interface Play {
  track: number;
  /** Base64 digest of listener and track. */
  mark: string;
  /** User whose history records it; null for an app's own token and for page visitors. */
  user: number | null;
  /** Milliseconds since 1970. */
  at: number;
  /** ISO 3166-1 alpha-2. This and the rest are for insights, if they are known. */
  country?: string | undefined;
  /** A client id, `embed` or `feed`. */
  app?: string | undefined;
  /** The host of a page. */
  referrer?: string | undefined;
  /** A code that many listeners share. */
  listener?: number | undefined;
  /** The last quarter of the track that was reached, from 1 to 4. Such a message counts no play. */
  quarter?: number | undefined;
}

/** Returns how many plays count. Repeated plays count nothing. */
export const countPlays = (db: Database, plays: Play[]) =>
  db.call("count_plays", () => z.number(), { plays: JSON.stringify(plays) }, "repeatable");

/** Counts a play that a client reports. */
export const playTrack = (
  db: Database,
  caller: Caller,
  id: number,
  facts: AccessFacts,
  listened: { mark: Uint8Array; listener: number; referrer: string | null },
) =>
  repeatAs(
    db,
    "play_track",
    () =>
      z.union([
        Changed(),
        z.strictObject({
          outcome: z.literal("not_ready"),
          state: TrackRow().shape.state,
        }),
      ]),
    caller,
    { id, ...accessParameters(facts), ...listened },
  );

/** End of a page, in microseconds; negative if the latest play comes first. */
export interface RecentPosition {
  key: number;
  id: number;
}

/** Lists tracks that the caller played, each once, latest play first. */
export async function listRecentPlays(
  db: Database,
  caller: SignedIn,
  country: string | undefined,
  { filter, page: { limit, offset, ascending, key, id } }: OrderedTracksQuery<RecentPosition>,
): Promise<TrackList<RecentPosition>> {
  const reader = { userId: caller.userId, country };
  const query = documentQuery(filter, reader);
  const playedAt = sql`(extract(epoch from ${recentPlays.playedAt}) * 1000000)::bigint`;
  const choice = choiceOf<{ key: number }>(
    sql`select id, key from (
        select ${documents.id} as id, ${ascending ? playedAt : sql`-${playedAt}`} as key
        from ${recentPlays} join ${documents} on ${documents.id} = ${recentPlays.trackId}
        where ${and(
          eq(recentPlays.userId, caller.userId),
          ...fitting(filter, reader),
          query && sql`${documents.document} @@ ${query}`,
        )}) plays
      where ${key === undefined ? sql`true` : sql`(key, id) > (${key}::bigint, ${id ?? null}::bigint)`}
      order by key, id limit ${limit + 1} offset ${offset}`,
    ["key"],
  );
  const rows = await db.read(
    showTracks.chosenBy(choice, shownTo(caller, { secretHash: undefined, country })),
  );
  return toTrackList(rows, limit, (last) => ({ key: last.key, id: last.id }));
}

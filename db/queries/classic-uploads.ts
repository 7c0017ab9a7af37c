import { and, eq, exists, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { accounts } from "../schema/people.ts";
import { objectGarbage } from "../schema/uploads.ts";
import { type Caller, callAs, callersId, type SignedIn } from "./caller.ts";
import { type NewTrack, TrackCreation } from "./tracks.ts";
import type { QuotaRefusal } from "./uploads.ts";

/** The quota's room for a file. Null is no limit. */
export interface Room {
  /** Set if the quota has no room for any file. */
  refusal: QuotaRefusal | null;
  /** Set if the user may not upload before their address is confirmed. */
  awaits_confirmation: boolean;
  most_bytes: number | null;
  bytes_left: number | null;
}

/**
 * Checks the session before the body is read. Lists the object as garbage until it becomes a track: a request that breaks off
 * leaves nothing for long.
 */
export async function beginClassicUpload(db: Database, user: SignedIn, objectKey: string): Promise<Room> {
  const most = sql`(quota_limits(${user.userId})).bytes`;
  const awaits = and(eq(accounts.userId, user.userId), accounts.awaitsConfirmation);
  const used = sql`(quota_of(${user.userId})->>'bytes_used')::bigint`;
  const [room] = await db.write((on) =>
    on
      .insert(objectGarbage)
      .values({ prefix: objectKey, bucket: "uploads", dueAt: sql`now() + interval '24 hours'` })
      .returning({
        refusal: sql<QuotaRefusal | null>`quota_refusal(${callersId(user)}, 1)`,
        awaits_confirmation: sql<boolean>`${exists(on.select().from(accounts).where(awaits))}`,
        most_bytes: sql<number | null>`${most}::float8`,
        bytes_left: sql<number | null>`case when ${most} is not null then (${most} - ${used})::float8 end`,
      }),
  );
  return room as Room;
}

/** An original uploaded through the Worker. */
export interface ReceivedOriginal {
  objectKey: string;
  filename: string;
  size: number;
  type: string;
}

/** Creates a track from an object that has no upload session yet. */
export const createClassicTrack = (
  db: Database,
  caller: Caller,
  original: ReceivedOriginal,
  track: Omit<NewTrack, "uploadId">,
) =>
  callAs(db, "create_classic_track", TrackCreation, caller, {
    object_key: original.objectKey,
    filename: original.filename,
    size: original.size,
    type: original.type,
    track: track.fields,
    permalink: track.permalink,
    secret_hash: track.secretHash,
    secret_sealed: track.secretSealed,
    credit_budget: track.creditBudget,
  });

import { and, desc, eq, gt, inArray, isNull, lt, lte, notInArray, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { sessions } from "../schema/grants.ts";
import { apps } from "../schema/people.ts";
import { uploads } from "../schema/uploads.ts";
import type { ReplyOf } from "../shape.ts";
import { type Caller, createdAt, firstRow, moment, repeatAs, type SignedIn, signedIn } from "./caller.ts";
import { LIMITS } from "./people.ts";

export const UploadRow = () => rowOf(uploads).omit({ app_id: true });
export type UploadRow = ReplyOf<typeof UploadRow>;

type UploadStatus = UploadRow["status"];

interface NewUpload {
  filename: string;
  size: number;
  type: string;
  last_modified: number | null;
  part_size: number;
  part_count: number;
}

/** The limit that a file would exceed, and what is left of it. */
export const QuotaRefusal = () =>
  z.strictObject({
    limit: z.enum(LIMITS),
    most: z.number(),
    left: z.number(),
  });
export type QuotaRefusal = ReplyOf<typeof QuotaRefusal>;

export const OverQuota = () =>
  z.strictObject({
    outcome: z.literal("over_quota"),
    quota: QuotaRefusal(),
  });

/** `too_many`: the user has `limit` open uploads. The same object key again returns the same upload. */
export const openUpload = (
  db: Database,
  caller: Caller,
  upload: NewUpload,
  objectKey: string,
  limit: number,
) =>
  repeatAs(
    db,
    "open_upload",
    () =>
      z.union([
        z.strictObject({
          outcome: z.literal("opened"),
          upload: UploadRow(),
        }),
        z.strictObject({
          outcome: z.literal("too_many"),
        }),
        OverQuota(),
      ]),
    caller,
    { upload, object_key: objectKey, open_limit: limit },
  );

/**
 * Stores storage's id; false if the upload has ended or another request has stored one. Needs no caller: only the request
 * that opened the upload, and its repetitions, know the id.
 */
export const setStorageUploadId = async (db: Database, id: number, storageUploadId: string) => {
  const stored = await db.write((on) =>
    on
      .update(uploads)
      .set({ storageUploadId })
      .where(and(eq(uploads.id, id), eq(uploads.status, "open"), isNull(uploads.storageUploadId)))
      .returning({ id: uploads.id }),
  );
  return stored.length > 0;
};

/** Matches states that can still expire. */
const isPending = inArray(uploads.status, ["open", "completing", "ready"]);

const status = sql<UploadStatus>`case when ${isPending} and ${uploads.expiresAt} <= now() then 'expired' else ${uploads.status} end`;

const columns = {
  id: uploads.id,
  user_id: uploads.userId,
  filename: uploads.filename,
  size: uploads.size,
  type: uploads.type,
  last_modified: uploads.lastModified,
  status,
  part_size: uploads.partSize,
  part_count: uploads.partCount,
  object_key: uploads.objectKey,
  storage_upload_id: uploads.storageUploadId,
  track_id: uploads.trackId,
  error: uploads.error,
  created_at: createdAt(uploads.id),
  expires_at: moment(uploads.expiresAt),
};

interface UploadPage {
  before: number;
  offset: number;
  limit: number;
}

/** Lists uploads below `before`, newest first; `undefined` selects every status. */
export const listUploads = (
  db: Database,
  user: SignedIn,
  wanted: UploadStatus | undefined,
  { before, offset, limit }: UploadPage,
) =>
  db.read((on) =>
    on
      .select(columns)
      .from(uploads)
      .where(
        and(
          signedIn(user),
          eq(uploads.userId, user.userId),
          lt(uploads.id, before),
          wanted && eq(status, wanted),
        ),
      )
      .orderBy(desc(uploads.id))
      .offset(offset)
      .limit(limit),
  );

export const findUpload = (db: Database, user: SignedIn, id: number) =>
  db
    .read((on) =>
      on
        .select(columns)
        .from(uploads)
        .where(and(signedIn(user), eq(uploads.id, id), eq(uploads.userId, user.userId))),
    )
    .then(firstRow);

/**
 * Finds the upload of a companion URL, which replaces the token of the session that asked for it. `undefined` once the upload or
 * that session has ended.
 */
export const findCompanionUpload = (db: Database, id: number, sessionId: number) =>
  db
    .read((on) =>
      on
        .select(columns)
        .from(uploads)
        .innerJoin(sessions, eq(sessions.id, sessionId))
        .innerJoin(apps, eq(apps.id, sessions.appId))
        .where(
          and(
            eq(uploads.id, id),
            notInArray(uploads.status, ["used", "expired"]),
            gt(uploads.expiresAt, sql`now()`),
            sql`session_is_live(${sessions.id}, ${apps.clientId}, ${uploads.userId})`,
          ),
        ),
    )
    .then(firstRow);

/** Omits the caller, because an earlier statement checked it. */
export const findUploadById = (db: Database, id: number) =>
  db.read((on) => on.select(columns).from(uploads).where(eq(uploads.id, id))).then(firstRow);

/**
 * Moves an upload between states and returns its row; `undefined` if it was in none of `from`. An earlier statement
 * must have checked the caller.
 */
export const moveUpload = (
  db: Database,
  id: number,
  from: UploadStatus[],
  to: UploadStatus,
  error: string | null = null,
): Promise<UploadRow | undefined> =>
  db
    .write((on) =>
      on
        .update(uploads)
        .set({ status: to, error })
        .where(and(eq(uploads.id, id), gt(uploads.expiresAt, sql`now()`), inArray(uploads.status, from)))
        .returning(columns),
    )
    .then(firstRow);

interface Plan {
  partSize: number;
  partCount: number;
  storageUploadId: string;
}

/** Changes the parts of an open upload, unless that was done since `storageUploadId` was read. */
export const replanUpload = (db: Database, id: number, storageUploadId: string, plan: Plan) =>
  db
    .write((on) =>
      on
        .update(uploads)
        .set(plan)
        .where(
          and(
            eq(uploads.id, id),
            eq(uploads.status, "open"),
            gt(uploads.expiresAt, sql`now()`),
            eq(uploads.storageUploadId, storageUploadId),
          ),
        )
        .returning(columns),
    )
    .then(firstRow);

const isOverdue = and(isPending, lte(uploads.expiresAt, sql`now()`));

export type OverdueUpload = Pick<UploadRow, "id" | "object_key" | "storage_upload_id">;

/** Lists expired uploads that are not yet marked so: everybody's, or one user's. */
export const overdueUploads = (db: Database, limit: number, userId?: number): Promise<OverdueUpload[]> =>
  db.read((on) =>
    on
      .select({
        id: uploads.id,
        object_key: uploads.objectKey,
        storage_upload_id: uploads.storageUploadId,
      })
      .from(uploads)
      .where(and(isOverdue, userId === undefined ? undefined : eq(uploads.userId, userId)))
      .orderBy(uploads.expiresAt)
      .limit(limit),
  );

/** Marks an upload expired, after its parts were deleted from storage. */
export const markUploadExpired = (db: Database, id: number) =>
  db.write((on) =>
    on
      .update(uploads)
      .set({ status: "expired" })
      .where(and(eq(uploads.id, id), isOverdue)),
  );

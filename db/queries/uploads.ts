import { sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import type { Told } from "../shape.ts";
import { type Caller, callAs, repeatAs } from "./caller.ts";

export const UploadStatus = () =>
  z.enum(["open", "completing", "ready", "used", "failed", "aborted", "expired"]);
export type UploadStatus = Told<typeof UploadStatus>;

export const UploadRow = () =>
  z.strictObject({
    id: z.number(),
    user_id: z.number(),
    filename: z.string(),
    size: z.number(),
    type: z.string(),
    last_modified: z.number().nullable(),
    status: UploadStatus(),
    part_size: z.number(),
    part_count: z.number(),
    object_key: z.string(),
    /** Null while storage has not answered the session's opening. */
    storage_upload_id: z.string().nullable(),
    track_id: z.number().nullable(),
    error: z.string().nullable(),
    created_at: z.string(),
    expires_at: z.string(),
  });
export type UploadRow = Told<typeof UploadRow>;

export interface NewUpload {
  filename: string;
  size: number;
  type: string;
  last_modified: number | null;
  part_size: number;
  part_count: number;
}

/** `too_many`: the user has `limit` sessions open. The same object's key again gives the same session. */
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
      ]),
    caller,
    { upload, object_key: objectKey, open_limit: limit },
  );

/** Storage has opened its side. Needs no caller: only the request that opened the session knows the id. */
export const setStorageUploadId = (db: Database, id: number, storageUploadId: string) =>
  db.execute(
    sql`update uploads set storage_upload_id = ${storageUploadId} where id = ${id} and status = 'open'`,
  );

interface UploadPage {
  before: number;
  offset: number;
  limit: number;
}

export const listUploads = (
  db: Database,
  caller: Caller,
  status: UploadStatus | undefined,
  { before, offset, limit }: UploadPage,
) =>
  callAs(
    db,
    "list_uploads",
    () =>
      z.strictObject({
        uploads: z.array(UploadRow()),
      }),
    caller,
    { status: status ?? null, before, offset, limit },
  );

export const findUpload = (db: Database, caller: Caller, id: number) =>
  callAs(
    db,
    "find_upload",
    () =>
      z.strictObject({
        upload: UploadRow().nullable(),
      }),
    caller,
    { id },
  );

/** By a companion URL. `undefined` once the upload or the session that the URL was made for has ended. */
export async function findCompanionUpload(
  db: Database,
  id: number,
  sessionId: number,
): Promise<UploadRow | undefined> {
  return (
    (await db.call("find_companion_upload", () => UploadRow().nullable(), { id, session: sessionId })) ??
    undefined
  );
}

/** Without a caller: behind a statement that checked one. */
export async function findUploadById(db: Database, id: number): Promise<UploadRow | undefined> {
  const [row] = await db.read<{ upload: UploadRow | null }>(
    sql`select upload_row(u) as upload from uploads u where u.id = ${id}`,
  );
  return row?.upload ?? undefined;
}

/**
 * One guarded move between states. The row as it then stands; `undefined` where it was in none of `from`.
 * Runs behind a statement that has checked the caller.
 */
export async function moveUpload(
  db: Database,
  id: number,
  from: UploadStatus[],
  to: UploadStatus,
  error: string | null = null,
): Promise<UploadRow | undefined> {
  const [row] = await db.execute<{ upload: UploadRow }>(sql`
    update uploads u set status = ${to}, error = ${error}
    where u.id = ${id} and u.expires_at > now() and u.status in (${sql.join(
      from.map((each) => sql`${each}`),
      sql`, `,
    )})
    returning upload_row(u) as upload`);
  return row?.upload;
}

/** Sessions past their time, and not yet marked so. */
export const overdueUploads = (db: Database, limit: number) =>
  db.read<{ id: number; object_key: string; storage_upload_id: string | null }>(sql`
    select id::float8 as id, object_key, storage_upload_id from uploads
    where status in ('open', 'completing', 'ready') and expires_at <= now() order by expires_at limit ${limit}`);

/** Once its parts are gone from storage. */
export const markUploadExpired = (db: Database, id: number) =>
  db.execute(sql`
    update uploads set status = 'expired'
    where id = ${id} and status in ('open', 'completing', 'ready') and expires_at <= now()`);

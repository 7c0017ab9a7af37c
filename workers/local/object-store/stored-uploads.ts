import type { StoredBlob } from "./blobs.ts";
import { type Catalog, rowAs, rowsAs } from "./catalog.ts";

interface StoredUpload {
  readonly id: string;
  readonly key: string;
  readonly headers: string;
  readonly createdMs: number;
}

export interface StoredPart extends StoredBlob {
  readonly number: number;
  readonly modifiedMs: number;
}

export const findUpload = ({ sql }: Catalog, bucket: string, key: string, id: string) =>
  rowAs<StoredUpload>(sql.get`
    SELECT id, key, headers, created_ms AS createdMs FROM uploads WHERE id = ${id} AND bucket = ${bucket} AND key = ${key}`);

export const addUpload = ({ sql }: Catalog, id: string, bucket: string, key: string, headers: string) =>
  sql.run`INSERT INTO uploads (id, bucket, key, headers, created_ms)
    VALUES (${id}, ${bucket}, ${key}, ${headers}, ${Date.now()})`;

/** Replaces an earlier part of the same number and returns its file. */
export function replacePart(
  { sql }: Catalog,
  upload: string,
  number: number,
  { file, size, md5 }: StoredBlob,
): string[] {
  const earlier = rowAs<{ file: string }>(
    sql.get`SELECT file FROM parts WHERE upload = ${upload} AND number = ${number}`,
  );
  sql.run`INSERT OR REPLACE INTO parts (upload, number, file, size, md5, modified_ms)
    VALUES (${upload}, ${number}, ${file}, ${size}, ${md5}, ${Date.now()})`;
  return earlier ? [earlier.file] : [];
}

export const listParts = ({ sql }: Catalog, upload: string, after: number, limit: number) =>
  rowsAs<StoredPart>(sql.all`
    SELECT number, file, size, md5, modified_ms AS modifiedMs FROM parts
    WHERE upload = ${upload} AND number > ${after} ORDER BY number LIMIT ${limit}`);

/** Returns the files of its parts. The caller discards those that no object uses. */
export function forgetUpload({ sql }: Catalog, upload: string): string[] {
  const parts = rowsAs<{ file: string }>(sql.all`SELECT file FROM parts WHERE upload = ${upload}`);
  sql.run`DELETE FROM uploads WHERE id = ${upload}`;
  return parts.map(({ file }) => file);
}

export const uploadsOlderThan = ({ sql }: Catalog, createdMs: number) =>
  rowsAs<{ id: string }>(sql.all`SELECT id FROM uploads WHERE created_ms < ${createdMs}`);

export function listUploads(
  { sql }: Catalog,
  bucket: string,
  prefix: string,
  after: { key: string; id: string },
  limit: number,
): StoredUpload[] {
  const found: StoredUpload[] = [];
  const rows = sql.iterate`
    SELECT id, key, headers, created_ms AS createdMs FROM uploads
    WHERE bucket = ${bucket} AND key >= ${prefix} AND (key, id) > (${after.key}, ${after.id})
    ORDER BY key, id LIMIT ${limit + 1}`;
  for (const row of rows) {
    const upload = rowAs<StoredUpload>(row);
    if (!upload?.key.startsWith(prefix)) break;
    found.push(upload);
  }
  return found;
}

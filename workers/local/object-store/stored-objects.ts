import type { Slice } from "./blobs.ts";
import { type Catalog, rowAs, rowsAs } from "./catalog.ts";

export interface StoredObject {
  readonly id: number;
  readonly key: string;
  readonly size: number;
  readonly etag: string;
  /** JSON of the response headers stored with the object. */
  readonly headers: string;
  readonly modifiedMs: number;
}

interface NewObject {
  readonly bucket: string;
  readonly key: string;
  readonly etag: string;
  readonly headers: string;
  /** In order. Together they form the object. */
  readonly blobs: readonly { readonly file: string; readonly size: number }[];
}

export const findObject = ({ sql }: Catalog, bucket: string, key: string) =>
  rowAs<StoredObject>(sql.get`
    SELECT id, key, size, etag, headers, modified_ms AS modifiedMs FROM objects WHERE bucket = ${bucket} AND key = ${key}`);

/** Requires a transaction. Returns the replaced object's files, to discard after the commit. */
export function replaceObject(catalog: Catalog, { bucket, key, etag, headers, blobs }: NewObject): string[] {
  const { sql } = catalog;
  const replaced = forgetObject(catalog, bucket, key);
  const size = blobs.reduce((sum, blob) => sum + blob.size, 0);
  const { lastInsertRowid: object } = sql.run`
    INSERT INTO objects (bucket, key, size, etag, headers, modified_ms)
    VALUES (${bucket}, ${key}, ${size}, ${etag}, ${headers}, ${Date.now()})`;
  let firstByte = 0;
  for (const blob of blobs) {
    sql.run`INSERT INTO pieces (object, first_byte, last_byte, file)
      VALUES (${object}, ${firstByte}, ${firstByte + blob.size - 1}, ${blob.file})`;
    firstByte += blob.size;
  }
  return replaced;
}

export function forgetObject(catalog: Catalog, bucket: string, key: string): string[] {
  const { sql } = catalog;
  const object = findObject(catalog, bucket, key);
  if (!object) return [];
  const pieces = rowsAs<{ file: string }>(sql.all`SELECT file FROM pieces WHERE object = ${object.id}`);
  sql.run`DELETE FROM objects WHERE id = ${object.id}`;
  return pieces.map(({ file }) => file);
}

/** Returns the file ranges that hold the bytes from `start` to `end`, both inclusive. */
export function slicesOf({ sql }: Catalog, object: StoredObject, start: number, end: number): Slice[] {
  const pieces = rowsAs<{ file: string; firstByte: number; lastByte: number }>(sql.all`
    SELECT file, first_byte AS firstByte, last_byte AS lastByte FROM pieces
    WHERE object = ${object.id} AND last_byte >= ${start} AND first_byte <= ${end} ORDER BY first_byte`);
  return pieces.map(({ file, firstByte, lastByte }) => ({
    file,
    start: Math.max(start - firstByte, 0),
    end: Math.min(end, lastByte) - firstByte,
  }));
}

/** Lists keys after `after` in byte order, like S3. One more than `limit` reveals a further page. */
export function listObjects(
  { sql }: Catalog,
  bucket: string,
  prefix: string,
  after: string,
  limit: number,
): StoredObject[] {
  const found: StoredObject[] = [];
  const rows = sql.iterate`
    SELECT id, key, size, etag, headers, modified_ms AS modifiedMs FROM objects
    WHERE bucket = ${bucket} AND key >= ${prefix} AND key > ${after} ORDER BY key LIMIT ${limit + 1}`;
  for (const row of rows) {
    const object = rowAs<StoredObject>(row);
    if (!object?.key.startsWith(prefix)) break;
    found.push(object);
  }
  return found;
}

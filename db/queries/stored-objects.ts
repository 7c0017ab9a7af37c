import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Database, Reader } from "../client.ts";
import type { Bucket } from "../objects/port.ts";
import { storedObjects, storedTotals } from "../schema/stored-objects.ts";

const { prefix, kind, userId, bytes } = storedObjects;

/** Lists objects whose size nobody has asked storage for yet. */
export const unmeasuredObjects = (db: Database, limit: number) =>
  db.read((on) =>
    on
      .select({ prefix, bucket: sql<Bucket>`case ${kind} when 'original' then 'uploads' else 'media' end` })
      .from(storedObjects)
      .where(isNull(bytes))
      .orderBy(prefix)
      .limit(limit),
  );

export const saveMeasured = (db: Database, measured: string, size: number) =>
  db.write((on) =>
    on
      .update(storedObjects)
      .set({ bytes: size })
      .where(and(eq(prefix, measured), isNull(bytes))),
  );

/** Adds everything up, for metrics and operators. Three million objects take a third of a second. */
export const sumStored = (db: Database): Promise<unknown> =>
  db.writeAtLength(sql`
    insert into ${storedTotals} (kind, objects, bytes, counted_at)
    select k.kind, count(s.prefix), coalesce(sum(s.bytes), 0), now()
    from unnest('{original,encode,picture,deleted}'::text[]) k (kind)
    left join ${storedObjects} s on k.kind = case when s.user_id is null then 'deleted' else s.kind end
    group by k.kind
    on conflict (kind) do update
    set objects = excluded.objects, bytes = excluded.bytes, counted_at = excluded.counted_at`);

export type StoredKind = (typeof storedTotals.$inferSelect)["kind"];

/** The sums, by kind, as JSON. Empty until the first sweep. */
export const storedTotalsNow = (on: Reader) =>
  sql<Partial<Record<StoredKind, { objects: number; bytes: number }>>>`(${on
    .select({
      all: sql`coalesce(jsonb_object_agg(${storedTotals.kind},
        jsonb_build_object('objects', ${storedTotals.objects}, 'bytes', ${storedTotals.bytes})), '{}')`,
    })
    .from(storedTotals)})`;

/** Bytes that a user has in storage. */
interface StoredBytes {
  originals: number;
  encodes: number;
  pictures: number;
}

export const storedBytesOf = (user: SQL) => {
  const sum = (of: string) => sql`coalesce(sum(${bytes}) filter (where ${kind} = ${of}), 0)`;
  return sql<StoredBytes>`(select jsonb_build_object('originals', ${sum("original")}, 'encodes', ${sum("encode")},
    'pictures', ${sum("picture")}) from ${storedObjects} where ${userId} = ${user})`;
};

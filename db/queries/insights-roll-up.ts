import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { pendingPlays, trackBreakdowns, userBreakdowns } from "../schema/insights.ts";
import { tracks } from "../schema/tracks.ts";
import { rollUp } from "./counters.ts";

/** Plays per statement. */
const BATCH = 2_000;

/** Listeners that a breakdown needs to keep: as many as name a country. */
export const FEWEST_LISTENERS = 5;

/** Adds pending plays to the breakdowns and returns their number. */
export const rollUpPlays = (db: Database): Promise<number> =>
  rollUp(BATCH, async () => {
    const { rows } = await db.write((on) => on.execute<{ taken: number }>(addPlays));
    return Number(rows[0]?.taken);
  });

/** The largest code of each register, or a few codes. */
const merged = (dimension: SQL, codes: SQL) => sql`case ${dimension}
  when 'all' then array(select max(c) from unnest(${codes}) c group by c / 32 order by 1)
  else (array(select distinct c from unnest(${codes}) c order by 1))[:${sql.raw(String(FEWEST_LISTENERS))}] end`;

/** Rows are locked in one order, here and where a track is deleted, against deadlocks. */
const addedTo = (table: typeof trackBreakdowns | typeof userBreakdowns, subject: "track_id" | "user_id") => {
  const id = sql.identifier(subject);
  return sql`insert into ${table} as b (${id}, dimension, grain, started_at, value, plays, listeners)
    select ${id}, dimension, grain, started_at, value, plays, ${merged(sql`dimension`, sql`listeners`)} from (
      select ${id}, dimension, grain, started_at, value, count(*) as plays,
        coalesce(array_agg(distinct listener) filter (where listener is not null), '{}') as listeners
      from facts group by 1, 2, 3, 4, 5) f
    order by 1, 2, 3, 4, 5
    on conflict (${id}, dimension, grain, started_at, value) do update
    set plays = b.plays + excluded.plays, listeners = ${merged(sql`b.dimension`, sql`b.listeners || excluded.listeners`)}`;
};

/** Waits for nobody: plays of locked tracks are left for the next call. The lock keeps tracks from being deleted meanwhile. */
const addPlays = sql`with batch as materialized (
    select id, track_id from ${pendingPlays} order by id limit ${BATCH} for update skip locked
  ), held as materialized (
    select t.id, t.user_id from ${tracks} t where t.id in (select track_id from batch) for key share skip locked
  ), taken as (
    delete from ${pendingPlays} d where d.id = any (array(select b.id from batch b
      where b.track_id in (select id from held) or not exists (select from ${tracks} t where t.id = b.track_id)))
    returning d.*
  ), facts as materialized (
    select h.id as track_id, h.user_id, v.dimension, g.grain, date_trunc(g.grain, d.hour, 'UTC') as started_at, v.value, d.listener
    from taken d join held h on h.id = d.track_id, (values ('day'), ('month')) g (grain),
      lateral (values ('all', ''), ('country', coalesce(d.country, '')), ('app', coalesce(d.app, '')),
        ('referrer', coalesce(d.referrer, '')), ('quarter', d.quarter::text)) v (dimension, value)
    where (d.quarter is null) = (v.dimension <> 'quarter')
  ), of_tracks as (${addedTo(trackBreakdowns, "track_id")}
  ), of_users as (${addedTo(userBreakdowns, "user_id")}
  )
  select count(*) as taken from taken`;

import { and, eq, ne, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { followings } from "../schema/followings.ts";
import { users } from "../schema/people.ts";
import { posts } from "../schema/posts.ts";
import { tracks } from "../schema/tracks.ts";
import type { Drizzle } from "../transports/open.ts";
import { trackAccess } from "./visibility.ts";

/** Bounds the posts examined if hardly any fit. */
export const LOOKED_AT_MOST = sql.raw("20000");

/**
 * A single lookup of a followed user's newest post costs two or three rows of a walk through all posts. The walk
 * stops when the page is full, or when lookups would have cost less. A few followed users are looked up directly.
 */
const ROWS_FOR_EACH = sql.raw("2");
const FEW = sql.raw("300");

interface Search {
  user: SQL;
  /** Ends of the search, as ids. */
  above: SQL;
  below: SQL;
  /** Cheap conditions on `posts`. */
  among: SQL | undefined;
  /** A further condition, for which at most 20,000 posts are examined. */
  fits: SQL;
  /** Number of posts. */
  wanted: SQL;
}

/**
 * Finds the newest posts of users whom `user` follows, as a table with the columns of `posts`. It looks at as many posts as are
 * wanted, then at four times as many older ones, and so on. Users whose newest post is older than those of as many others have
 * nothing among them. `is true` prevents a join: a walk hashes the followed users, and stops when the page is full.
 */
export const followedPosts = ({ user, above, below, among, fits, wanted }: Search): SQL => sql`(
  with recursive followed as materialized (
    select ${followings.followeeId} as id from ${followings} where ${followings.userId} = ${user}
  ), walk as materialized (
    select * from (
      select * from (
        select * from ${posts} where ${posts.id} < ${below} and ${posts.id} > ${above} order by ${posts.id} desc
        limit (select count(*) * ${ROWS_FOR_EACH} from followed)
      ) ${posts}
      where (${posts.userId} in (select id from followed)) is true and ${among}
      order by ${posts.id} desc limit ${LOOKED_AT_MOST}
    ) ${posts}
    where (select count(*) from followed) > ${FEW} and ${fits} order by ${posts.id} desc limit ${wanted}
  ), looks as (
    select ${wanted} as asked, 0 as looked, ${below} as below, 0 as taken, '{}'::posts[] as fitting
    where (select count(*) from walk) < ${wanted}
    union all
    select case when look.met < asked then 0 else least(asked * 4, ${LOOKED_AT_MOST} - looked - look.met) end, looked + look.met,
      look.last, taken + cardinality(look.fitting), look.fitting
    from looks, lateral (
      with newest as materialized (
        select followed.id as user_id, post.id from followed, lateral (
          select ${posts.id} from ${posts}
          where ${posts.userId} = followed.id and ${posts.id} < looks.below and ${posts.id} > ${above} and ${among}
          order by ${posts.id} desc limit 1) post
        order by post.id desc limit looks.asked
      ), reach as materialized (
        select case when count(*) = looks.asked then min(newest.id) else 0 end as id from newest
      )
      select count(*)::integer as met, min(${posts.id}) as last, coalesce(array_agg(
          row(${posts.id}, ${posts.kind}, ${posts.userId}, ${posts.subjectId}, null)::posts order by ${posts.id} desc)
        filter (where ${fits}), '{}') as fitting
      from (
        select ${posts}.* from newest, lateral (
          select * from ${posts}
          where ${posts.userId} = newest.user_id and ${posts.id} <= newest.id and ${posts.id} > ${above}
            and ${posts.id} >= (select reach.id from reach) and ${among}
          order by ${posts.id} desc limit looks.asked) ${posts}
        order by ${posts.id} desc limit looks.asked
      ) ${posts}
    ) look
    where asked > 0 and taken < ${wanted}
  )
  select * from walk where (select count(*) from walk) = ${wanted}
  union all
  (select ${posts}.* from looks, unnest(looks.fitting) ${posts} order by ${posts.id} desc limit ${wanted}))`;

interface Reader {
  user: SQL;
  country: SQL;
  /** Null allows any. */
  access: SQL;
}

/** Matches a track that lists show to the reader, with one of the kinds of access. `users` must be joined as its owner. */
export const isOffered = ({ user, country, access }: Reader) =>
  and(
    ne(tracks.state, "failed"),
    sql`${trackAccess({ user, country, secret_hash: sql`null::bytea` })}
      = any (coalesce(${access}, '{playable,preview,blocked}'))`,
  );

/** The same for a track by its id. */
export const offersTrack = (on: Drizzle, id: PgColumn, reader: Reader) =>
  isThere(
    on
      .select(there)
      .from(tracks)
      .innerJoin(users, eq(users.id, tracks.userId))
      .where(and(eq(tracks.id, id), isOffered(reader))),
  );

/** The field that `isThere` selects. */
export const there = { there: sql`true` };

/** Matches if a select by a unique key finds its row. For `exists` PostgreSQL might read the whole table instead, to hash it. */
export const isThere = (select: SQLWrapper) => sql`${select} is true`;

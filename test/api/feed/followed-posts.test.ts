import { sql } from "drizzle-orm";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { followedPosts } from "../../../db/queries/followed-posts.ts";
import { toStatement } from "../../../db/stored-select.ts";
import { stack } from "../../support/stack.ts";

const KINDS = ["track", "track-repost", "playlist", "playlist-repost"];
const USERS = 3_000;
/** More posts than a walk covers before it asks for each followed user. */
const POSTS = 30_000;
const HIGHEST = 9_000_000_000_000_000;

/** Never committed, because posts without tracks would disturb other tests. */
const client = new pg.Client({ connectionString: stack.databaseUrl });
let people: number[];

beforeAll(async () => {
  await client.connect();
  await client.query("begin");
  await client.query("select setseed(0.42)");
  const made = await client.query<{ id: number }>(
    `insert into users (username, permalink) select 'feed ' || n, 'feed-' || n || '-' || next_id()
     from generate_series(1, $1::int) n returning id::float8 as id`,
    [USERS],
  );
  people = made.rows.map(({ id }) => id);
  // Ids above all others. The first users post far more than the last.
  await client.query(
    `insert into posts (id, kind, user_id, subject_id)
     select $1::bigint + n, ($2::text[])[1 + floor(random() * 4)],
       ($3::bigint[])[1 + floor(power(random(), 4) * $4::int)], $1::bigint + n
     from generate_series(1, $5::int) n`,
    [HIGHEST, KINDS, people, USERS, POSTS],
  );
});

afterAll(() => client.end());

/** A user who follows every `step`th of the others from `first` on. */
async function createFollower({ first, step }: { first: number; step: number }): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `with made as (insert into users (username, permalink) values ('f', 'f-' || next_id()) returning id)
     , followed as (insert into followings (user_id, followee_id)
       select m.id, p.id from made m, unnest($1::bigint[]) p(id))
     select id::float8 as id from made`,
    [people.filter((_, at) => at >= first && (at - first) % step === 0)],
  );
  return rows[0]?.id ?? 0;
}

/** One post in `every` fits. */
type Asked = [
  user: number,
  kinds: string[],
  before: number | null,
  after: number | null,
  limit: number,
  every: number,
];

async function found([user, kinds, before, after, limit, every]: Asked): Promise<unknown[]> {
  const posts = followedPosts({
    user: sql`${user}::bigint`,
    above: sql`${after ?? -1}::bigint`,
    below: sql`${before ?? Number.MAX_SAFE_INTEGER}::bigint`,
    among: sql`posts.kind = any (${sql.param(kinds)})`,
    fits: sql`posts.id % ${every}::integer = 0`,
    wanted: sql`${limit}::integer`,
  });
  const { text, parameters } = toStatement(
    sql`select id::float8 as place, kind, user_id::float8 as user_id, subject_id::float8 as subject_id
      from ${posts} posts order by id desc`,
  );
  return (await client.query(text, [...parameters])).rows;
}

async function naive(asked: Asked): Promise<unknown[]> {
  const { rows } = await client.query(
    `select id::float8 as place, kind, user_id::float8 as user_id, subject_id::float8 as subject_id from (
       select * from posts
       where user_id in (select followee_id from followings where user_id = $1) and kind = any ($2)
         and ($3::bigint is null or id < $3) and ($4::bigint is null or id > $4)
       order by id desc limit 20000) looked_at
     where id % $6::integer = 0 order by id desc limit $5`,
    asked,
  );
  return rows;
}

describe("the posts of followed users match a search through all posts", () => {
  test.each([
    ["few people", { first: 0, step: 60 }],
    ["many who post much", { first: 0, step: 2 }],
    ["many who post little", { first: USERS / 2, step: 3 }],
    ["people of whom hardly any has posted", { first: USERS - 400, step: 1 }],
    ["nobody", { first: USERS, step: 1 }],
  ])("followers of %s", async (_, followed) => {
    const user = await createFollower(followed);
    for (const kinds of [KINDS, ["track"], ["track", "track-repost"], ["playlist-repost"], []])
      for (const [before, after] of [
        [null, null],
        [HIGHEST + POSTS / 2, null],
        [HIGHEST + POSTS - 300, HIGHEST + POSTS - 900],
        [HIGHEST + 5_000, HIGHEST + 200],
        [null, HIGHEST + POSTS],
        [HIGHEST + 1, null],
      ] as const)
        for (const [every, limits] of [
          [1, [1, 7, 51, 201]],
          [97, [7, 51]],
        ] as const) {
          const all = await naive([user, kinds, before, after, Math.max(...limits), every]);
          for (const limit of limits) {
            const asked: Asked = [user, kinds, before, after, limit, every];
            expect(await found(asked), JSON.stringify(asked)).toEqual(all.slice(0, limit));
          }
        }
  });
});

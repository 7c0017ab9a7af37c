import { sql as build } from "drizzle-orm";
import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { followedPosts } from "../../../db/queries/followed-posts.ts";
import { idsBetween, isBetween, present } from "../../../db/queries/timelines.ts";
import { posts as table } from "../../../db/schema/posts.ts";
import { toStatement } from "../../../db/stored-select.ts";
import type { Feed } from "../../../functions/api/feed/representation.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlayableTrack, type StoredTrack } from "../../support/tracks.ts";
import { createReader, feedOf, itemsIn, pagesOf, repostTrack } from "./feed.support.ts";

let artist: Person;

beforeAll(async () => {
  artist = await createUser();
});

const posts = (...tracks: StoredTrack[]) => tracks.map(({ id }) => `track ${id}`);
const reposts = (...tracks: StoredTrack[]) => tracks.map(({ id }) => `track:repost ${id}`);

/** A repost made now that becomes visible when the transaction ends. */
async function openRepost(who: Person, { id }: StoredTrack) {
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  await client.query("begin");
  await client.query("insert into reposts (user_id, track_id) values ($1, $2)", [who.id, id]);
  const end = (how: "commit" | "rollback") => async () => {
    await client.query(how);
    await client.end();
  };
  return { commit: end("commit"), rollback: end("rollback") };
}

type Moments = Record<"since" | "since_settled" | "until" | "until_settled", string | undefined>;

const PRESENT = toStatement(build`select ${present.snapshot} as snapshot, ${present.settled} as settled`);

/** Selects posts of followed users between two moments. */
function postsBetween(user: number, { since, since_settled, until, until_settled }: Partial<Moments>) {
  const given = {
    since: build`${since ?? null}::pg_snapshot`,
    since_settled: build`${since_settled ?? null}::bigint`,
    until: build`${until ?? null}::pg_snapshot`,
    until_settled: build`${until_settled ?? null}::bigint`,
    before: build`null::bigint`,
    most_rows: build`10`,
  };
  const found = followedPosts({
    user: build`${user}::bigint`,
    ...idsBetween(given),
    among: isBetween(table, given),
    fits: build`true`,
    wanted: given.most_rows,
  });
  return build`select id from ${found} posts`;
}

/** Requests newer items repeatedly. */
async function polled(who: Person, from: Feed, ...between: (() => Promise<unknown>)[]): Promise<string[][]> {
  const found: string[][] = [];
  let { future_href } = from;
  for (const happens of [async () => {}, ...between]) {
    await happens();
    const feed = await feedOf(who, future_href);
    found.push(itemsIn(feed));
    future_href = feed.future_href;
  }
  return found;
}

describe("future_href", () => {
  test("returns newer items once each, and leads on", async () => {
    const reader = await createReader(artist);
    await createPlayableTrack(artist);
    const made: StoredTrack[] = [];
    const post = async () => void made.unshift(await createPlayableTrack(artist));
    const found = await polled(
      reader,
      await feedOf(reader),
      post,
      async () => {},
      () => post().then(post),
    );
    const [third, second, first] = posts(...made);
    expect(found).toEqual([[], [first], [], [third, second]]);
  });

  test("returns the first post of an empty feed", async () => {
    const lonely = await createUser();
    const reader = await createReader(lonely);
    const empty = await feedOf(reader);
    expect(empty).toEqual({ collection: [], future_href: expect.any(String) });
    const track = await createPlayableTrack(lonely);
    expect(await polled(reader, empty)).toEqual([posts(track)]);
  });

  test("returns items that were made earlier and committed later", async () => {
    const slow = await createUser();
    const reader = await createReader(slow, artist);
    const early = await createPlayableTrack(artist);
    const open = await openRepost(slow, early);
    const late = await createPlayableTrack(artist);
    const before = await feedOf(reader);
    expect(itemsIn(before).slice(0, 2)).toEqual(posts(late, early));
    const newer = await createPlayableTrack(artist);
    const found = await polled(
      reader,
      before,
      async () => {},
      open.commit,
      async () => {},
    );
    expect(found).toEqual([posts(newer), [], reposts(early), []]);
    expect(itemsIn(await feedOf(reader)).slice(0, 4)).toEqual([
      ...posts(newer, late),
      ...reposts(early),
      ...posts(early),
    ]);
  });

  test("never returns rolled-back items", async () => {
    const slow = await createUser();
    const reader = await createReader(slow, artist);
    const track = await createPlayableTrack(artist);
    const open = await openRepost(slow, track);
    const before = await feedOf(reader);
    expect(await polled(reader, before, open.rollback)).toEqual([[], []]);
  });

  test("is paged, and leads on from its first page", async () => {
    const reader = await createReader(artist);
    const before = await feedOf(reader, "/me/feed?limit=2");
    const made: StoredTrack[] = [];
    while (made.length < 5) made.unshift(await createPlayableTrack(artist));
    const unseen: StoredTrack[] = [];
    const pages = await pagesOf(reader, before.future_href, async () => {
      unseen.push(await createPlayableTrack(artist));
    });
    expect(pages.map(itemsIn)).toEqual([
      posts(...made.slice(0, 2)),
      posts(...made.slice(2, 4)),
      posts(...made.slice(4)),
    ]);
    expect(
      new Set(pages.map(({ future_href }) => new URL(future_href).searchParams.get("uuid[to]"))).size,
    ).toBe(1);
    expect(await polled(reader, pages[2] ?? before)).toEqual([posts(...unseen)]);
  });

  test("returns everything together with the reading's pages, including items committed between two pages", async () => {
    const slow = await createUser();
    const quiet = await createUser();
    const reader = await createReader(slow, quiet);
    const [oldest, older] = [await createPlayableTrack(quiet), await createPlayableTrack(quiet)];
    const open = await openRepost(slow, oldest);
    const newest = await createPlayableTrack(quiet);
    const pages = await pagesOf(reader, "/me/feed?limit=1", open.commit);
    expect(pages.flatMap(itemsIn)).toEqual(posts(newest, older, oldest));
    expect(await polled(reader, pages[2] ?? (await feedOf(reader)))).toEqual([reposts(oldest)]);
  });

  test("repeats the request's parameters on the public host, without the cursor", async () => {
    const reader = await createReader(artist);
    await createPlayableTrack(artist);
    await createPlayableTrack(artist);
    const { next_href = "" } = await feedOf(reader, "/me/feed/tracks?limit=1&access=playable");
    const { future_href } = await feedOf(reader, next_href);
    const { origin, pathname, searchParams } = new URL(future_href);
    expect(origin + pathname).toBe(`${stack.urls.api}/me/feed/tracks`);
    expect([...searchParams.keys()].sort()).toEqual(["access", "limit", "uuid[to]"]);
  });

  test("returns a private track that became public, but not one that only changed", async () => {
    const reader = await createReader(artist);
    const closed = await createPlayableTrack(artist, { sharing: "private" });
    const open = await createPlayableTrack(artist);
    const before = await feedOf(reader);
    await api.as(artist).put(`/tracks/${open.id}`, { json: { track: { title: "Changed" } } });
    await repostTrack(await createUser(), open.id);
    await api.as(artist).put(`/tracks/${closed.id}`, { json: { track: { sharing: "public" } } });
    expect(await polled(reader, before)).toEqual([posts(closed)]);
  });

  test("stays valid in a database restored elsewhere, except for the last minutes", async () => {
    const reader = await createUser();
    const [{ user, other } = { user: 0, other: 0 }] = await sql<{ user: number; other: number }>(
      `with made as (insert into users (username, permalink) values ('r', 'r-' || next_id()) returning id)
       , followed as (insert into followings (user_id, followee_id) select $1, id from made)
       select $1::float8 as user, id::float8 as other from made`,
      [reader.id],
    );
    // A transaction id far from this database's, an hour ago.
    const client = new pg.Client({ connectionString: stack.databaseUrl });
    await client.connect();
    await client.query("begin");
    const [place] = (
      await client.query<{ id: string }>(
        `insert into posts (id, kind, user_id, subject_id, transaction_id)
         select next_id() - ((3600 * 1000)::bigint << 12), 'track', $1, next_id(), '9000000000000000' returning id`,
        [other],
      )
    ).rows;
    const [moment] = (
      await client.query<Record<"snapshot" | "settled", string>>(PRESENT.text, [...PRESENT.parameters])
    ).rows;
    const found = async (given: Partial<Moments>) => {
      const { text, parameters } = toStatement(postsBetween(user, given));
      return (await client.query<{ id: string }>(text, [...parameters])).rows.map((row) => row.id);
    };
    const { snapshot, settled } = moment ?? {};
    expect(await found({ since: snapshot, since_settled: settled })).toEqual([]);
    expect(await found({ until: snapshot, until_settled: settled })).toEqual([place?.id]);
    await client.end();
  });
});

import pg from "pg";
import { describe, expect, test } from "vitest";
import type { Activities } from "../../../functions/api/activities/representation.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { repeats } from "../../support/repeats.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlayableTrack, type StoredTrack } from "../../support/tracks.ts";
import { createComment } from "../comments/comments.support.ts";
import {
  ALL,
  activitiesOf,
  follow,
  happenedTo,
  like,
  named,
  namesIn,
  OWN,
  pagesOf,
  share,
  TRACKS,
  unlike,
} from "./activities.support.ts";

async function somebodyWith(fans: number) {
  const owner = await createUser();
  const track = await createPlayableTrack(owner);
  return { owner, track, fans: await Promise.all(Array.from({ length: fans }, () => createUser())) };
}

const favoriteOf = (track: StoredTrack, fan: Person) => `favoriting ${track.id} by ${fan.id}`;

describe("pages of activities", () => {
  test("end with the last item and stay stable while things happen and are undone", async () => {
    const { owner, track, fans } = await somebodyWith(7);
    const [gone, late, ...others] = fans as [Person, Person, ...Person[]];
    await like(gone, track);
    for (const fan of others) await like(fan, track);
    const newestFirst = others.map((fan) => favoriteOf(track, fan)).reverse();
    const pages = await pagesOf(owner, `${ALL}?limit=2`, async () => {
      await like(late, track);
      await unlike(gone, track);
    });
    expect(namesIn(pages)).toEqual(newestFirst);
    expect(pages.map(({ collection }) => collection.length)).toEqual([2, 2, 1]);
    expect(pages.at(-1)?.next_href).toBeUndefined();
    expect((await activitiesOf(owner, `${ALL}?limit=6`)).next_href).toBeUndefined();
    // All pages of one reading lead to the same future page.
    const [since, ...same] = pages.map(({ future_href }) =>
      new URL(future_href).searchParams.get("uuid[to]"),
    );
    expect(new Set(same)).toEqual(new Set([since]));
    expect(await happenedTo(owner, pages.at(-1)?.future_href)).toEqual([favoriteOf(track, late)]);
  });

  test("include tracks of followed users in order", async () => {
    const [reader, artist] = [await createUser(), await createUser()];
    await follow(reader, artist);
    const mine = await createPlayableTrack(reader);
    const names: string[] = [];
    for (const n of [1, 2, 3]) {
      names.unshift(`track ${(await createPlayableTrack(artist)).id}`);
      names.unshift(`comment ${(await createComment(artist, mine, { timestamp: n })).id}`);
      const secret = await createPlayableTrack(artist, { sharing: "private" });
      await share(artist, secret, [reader]);
      names.unshift(`track-sharing ${secret.id}`);
    }
    for (const limit of [1, 2, 4, 9])
      expect(namesIn(await pagesOf(reader, `${ALL}?limit=${limit}`))).toEqual(names);
    const tracks = names.filter((name) => !name.startsWith("comment"));
    expect(namesIn(await pagesOf(reader, `${TRACKS}?limit=1`))).toEqual(tracks);
  });
});

describe("future_href", () => {
  test("returns newer activities once each and leads on", async () => {
    const { owner, track, fans } = await somebodyWith(5);
    const [first, ...others] = fans as [Person, ...Person[]];
    await like(first, track);
    let { future_href } = await activitiesOf(owner, OWN);
    const nothing = await activitiesOf(owner, future_href);
    expect([nothing.collection, nothing.next_href]).toEqual([[], undefined]);
    for (const fan of others) {
      await like(fan, track);
      const since: Activities = await activitiesOf(owner, future_href);
      expect(since.collection.map(named)).toEqual([favoriteOf(track, fan)]);
      future_href = since.future_href;
    }
    expect((await activitiesOf(owner, future_href)).collection).toEqual([]);
    expect((await activitiesOf(owner, nothing.future_href)).collection).toHaveLength(4);
  });

  test("returns the first activity of a user who had none", async () => {
    const { owner, track, fans } = await somebodyWith(1);
    const { future_href } = await activitiesOf(owner);
    for (const fan of fans) await like(fan, track);
    expect(await happenedTo(owner, future_href)).toHaveLength(1);
  });

  test("is paged, and its pages hold nothing newer", async () => {
    const { owner, track, fans } = await somebodyWith(6);
    const [late, ...others] = fans as [Person, ...Person[]];
    const { future_href } = await activitiesOf(owner);
    for (const fan of others) await like(fan, track);
    const pages = await pagesOf(owner, `${future_href}&limit=2`, async () => {
      await like(late, track);
    });
    expect(namesIn(pages)).toEqual(others.map((fan) => favoriteOf(track, fan)).reverse());
    for (const page of pages)
      expect(await happenedTo(owner, page.future_href)).toEqual([favoriteOf(track, late)]);
  });

  test("returns activities that began before the last reading and were committed after it, once", async () => {
    const { owner, track, fans } = await somebodyWith(3);
    const [slow, quick, last] = fans as [Person, Person, Person];
    const client = new pg.Client({ connectionString: stack.databaseUrl });
    await client.connect();
    try {
      await client.query("begin");
      await client.query("insert into favorites (user_id, track_id) values ($1, $2)", [slow.id, track.id]);
      await like(quick, track);
      const before = await pagesOf(owner, `${OWN}?limit=1`);
      expect(namesIn(before)).toEqual([favoriteOf(track, quick)]);
      await client.query("commit");
      const since = await activitiesOf(owner, before[0]?.future_href);
      expect(since.collection.map(named)).toEqual([favoriteOf(track, slow)]);
      await like(last, track);
      expect(await happenedTo(owner, since.future_href)).toEqual([favoriteOf(track, last)]);
      expect(await happenedTo(owner, OWN)).toEqual([last, quick, slow].map((fan) => favoriteOf(track, fan)));
    } finally {
      await client.end();
    }
  });

  test("returns each activity once while others like, comment, share and publish", async () => {
    const { owner, track, fans } = await somebodyWith(6);
    const made: string[] = [];
    const acts = async (fan: Person, turn: number) => {
      for (let n = 0; n < 4; n++) {
        const other = await createPlayableTrack(fan, { sharing: "private" });
        await share(fan, other, [owner]);
        made.push(`track-sharing ${other.id}`);
        made.push(`comment ${(await createComment(fan, track, { timestamp: turn * 100 + n })).id}`);
        const mine = await createPlayableTrack(owner);
        await like(fan, mine);
        made.push(favoriteOf(mine, fan));
        const { id } = await createPlayableTrack(fan);
        made.push(`track ${id}`);
      }
    };
    for (const fan of fans) await follow(owner, fan);
    let { future_href } = await activitiesOf(owner);
    const seen: string[] = [];
    const poll = async () => {
      const pages = await pagesOf(owner, `${future_href}&limit=3`);
      seen.push(...namesIn(pages));
      future_href = pages[0]?.future_href.replace("&limit=3", "") ?? "";
    };
    let busy = true;
    const writing = Promise.all(fans.map(acts)).finally(() => {
      busy = false;
    });
    while (busy) await poll();
    await writing;
    await poll();
    expect([...seen].sort()).toEqual(made.sort());
  });
});

test("two thousand followed users and thousands of likes affect only the numbers", async () => {
  const { owner, track, fans } = await somebodyWith(1);
  await sql(
    `with many as (insert into users (username, permalink)
       select 'many', 'many-' || gen_random_uuid() || '-' || n from generate_series(1, $3::int) n returning id
     ), followed as (
       insert into followings (user_id, followee_id) select $1, id from many limit 2000)
     insert into favorites (user_id, track_id) select id, $2 from many`,
    [owner.id, track.id, repeats(2_500, 10_000)],
  );
  const { future_href } = await activitiesOf(owner);
  for (const fan of fans) await like(fan, track);
  const names = fans.map((fan) => favoriteOf(track, fan));
  expect(await happenedTo(owner, future_href)).toEqual(names);
  const { body } = await api.as(owner).get<Activities>(`${OWN}?limit=200`);
  expect(body.collection).toHaveLength(200);
  expect(body.collection[0] && named(body.collection[0])).toBe(names[0]);
});

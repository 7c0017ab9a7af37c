import { expect, test } from "vitest";
import { createPlaylist, named } from "../api/playlists/playlists.ts";
import { by, played } from "../api/plays/plays.support.ts";
import { api } from "../support/api.ts";
import { createUser } from "../support/people.ts";
import { deliver, runCron, sql } from "../support/stack.ts";
import { createPlayableTrack } from "../support/tracks.ts";

/** Tracks whose counters differ from their rows or from the sums of their insights, and users whose sums differ from those. */
const faultsOf = (owner: number) =>
  sql(
    `with t as (
       select id, playback_count, favoritings_count, reposts_count, comment_count from tracks where user_id = $1
     ), sums as (
       select g.grain, t.id, coalesce(sum(i.plays), 0) as plays, coalesce(sum(i.likes), 0) as likes,
         coalesce(sum(i.reposts), 0) as reposts, coalesce(sum(i.comments), 0) as comments
       from t cross join (values ('hour'), ('day'), ('month')) g (grain)
       left join track_insights i on i.track_id = t.id and i.grain = g.grain group by 1, 2
     )
     select 'insights' as what, t.id from t join sums s using (id)
     where (playback_count, favoritings_count, reposts_count, comment_count) <> (plays, likes, reposts, comments)
     union all
     select 'rows', t.id from t where (favoritings_count, reposts_count, comment_count) <> (
       (select count(*) from favorites r where r.track_id = t.id), (select count(*) from reposts r where r.track_id = t.id),
       (select count(*) from comments r where r.track_id = t.id))
     union all
     select 'user', $1 from (
       select grain, sum(plays) as plays, sum(likes) as likes, sum(reposts) as reposts, sum(comments) as comments
       from user_insights where user_id = $1 group by 1) u
     join (select grain, sum(plays) as plays, sum(likes) as likes, sum(reposts) as reposts, sum(comments) as comments
       from sums group by 1) s using (grain)
     where (u.plays, u.likes, u.reposts, u.comments) <> (s.plays, s.likes, s.reposts, s.comments)
     union all
     select 'plays by ' || dimension, $1 from user_breakdowns where user_id = $1 and grain = 'day' and dimension <> 'quarter'
     group by dimension having sum(plays) <> (select sum(playback_count) from t)`,
    [owner],
  );

/** Sweeps until nothing of the owner's tracks is pending. */
async function sweepAll(owner: number): Promise<void> {
  const pending = `select from (select subject_id from counter_deltas where kind = 'track' union all select track_id from pending_plays) p
    join tracks t on t.id = p.subject_id where t.user_id = $1`;
  do await runCron("*/5 * * * *");
  while ((await sql(pending, [owner])).length);
}

test("tracks that are played, liked, published, superseded, released and deleted at once are counted right everywhere", async () => {
  const [owner, ...fans] = await Promise.all([createUser(), createUser(), createUser(), createUser()]);
  const open = await Promise.all(Array.from({ length: 6 }, () => createPlayableTrack(owner)));
  const drafts = await Promise.all([1, 2].map(() => createPlayableTrack(owner, { sharing: "private" })));
  const ids = [...open, ...drafts].map(({ id }) => id);
  const [one, two, three, four, five, six, due, draft] = ids as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const set = await createPlaylist(owner, { tracks: named(ids) });
  await sql("update tracks set publish_at = now() where id = $1", [due]);

  const as = api.as(owner);
  const change = (changed: number[], sharing: string) =>
    as.put("/me/tracks", { json: { ids: changed, track: { sharing } } });
  const supersede = (id: number, old: number) =>
    as.post(`/tracks/${id}/supersede`, { json: { superseded_id: old } });
  const acts = [
    change([six, four, one], "private"),
    change([one, six, five], "public"),
    supersede(draft, two),
    supersede(due, three),
    as.delete(`/me/tracks?ids=${[five, four]}`),
    as.put(`/playlists/${set.id}`, { json: { playlist: { tracks: named(ids.toReversed()) } } }),
    as.post("/releases", { json: { release: { title: "EP", tracks: named([six, one]) } } }),
    ...fans.flatMap((fan) =>
      ids
        .slice(0, 6)
        .flatMap((id) => [
          api.as(fan).post(`/likes/tracks/${id}`),
          api.as(fan).post(`/reposts/tracks/${id}`),
          api.as(fan).post(`/tracks/${id}/comments`, { json: { comment: { body: "Again" } } }),
          api.as(fan).post(`/tracks/${id}/plays`),
          api.as(fan).delete(`/likes/tracks/${id}`),
        ]),
    ),
  ];
  const heard = fans.flatMap((fan) => ids.map((id) => ({ body: { ...played(id, by(fan)), country: "DE" } })));
  const background = [
    deliver("plays", heard),
    runCron("* * * * *"),
    runCron("*/5 * * * *"),
    sweepAll(owner.id),
  ];
  for (const { status } of await Promise.all(acts)) expect(status).toBeLessThan(500);
  await Promise.all(background);
  await supersede(one, draft);
  await supersede(due, one);
  await sweepAll(owner.id);
  expect(await faultsOf(owner.id)).toEqual([]);
});

import { expect, test } from "vitest";
import { createComment } from "../../api/comments/comments.support.ts";
import { deliverPlays, heard, sweepInsights, visitors } from "../../api/insights/insights.support.ts";
import { createPlaylist, named } from "../../api/playlists/playlists.ts";
import { createWebhook } from "../../api/webhooks/webhook-receiver.ts";
import { api } from "../../support/api.ts";
import { createMember } from "../../support/browser.ts";
import { createApp, createUser, type Person, tokenOf } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";

test("the export holds everything that its owner created, liked, reposted and shared (X103)", async () => {
  const { browser, id, username } = await createMember();
  const app = await createApp();
  const me: Person = { id, username, token: await tokenOf(app, username), app };
  const [friend, song] = [await createUser(), await createPlayableTrack(await createUser())];
  const [own, set] = [await createPlayableTrack(me), await createPlaylist(friend)];
  const mine = await createPlaylist(me, { title: "Exported", tracks: named([song.id, own.id]) });
  const comment = await createComment(me, song, { body: "Exported" });
  for (const kind of ["likes", "reposts"])
    for (const path of [`tracks/${song.id}`, `playlists/${set.id}`])
      await api.as(me).post(`/${kind}/${path}`);
  await api.as(me).put(`/tracks/${own.id}/shared-to/users`, {
    json: { users: [{ id: friend.id }], sharing_note: "For you" },
  });
  const content = "WEBVTT\n\n00:00.000 --> 00:01.000\nHello";
  await api.as(me).put(`/tracks/${own.id}/transcript`, { json: { transcript: { content } } });
  const chapters = [{ startTime: 1, title: "Part" }];
  await api.as(me).put(`/tracks/${own.id}/chapters`, { json: { chapters } });
  const webhook = await createWebhook(me, "https://hooks.example.com/", ["track.failed"]);
  await sql("update apps set owner_id = $2 where id = $1", [(await createApp()).id, id]);
  await sql(
    `insert into connections (user_id, service, external_id, display_name, tokens_sealed, post_favorite, post_publish)
     values ($1, 'twitter', '1', 'Ana', '', false, false)`,
    [id],
  );
  await sql(
    `insert into news_mails (user_id, mail, kinds, looked_id, next_look_at)
     values ($1, 'daily', '{likes,followers}', 0, now() + interval '1 day')`,
    [id],
  );
  const theirs = await createPlayableTrack(friend);
  await api.as(friend).put(`/tracks/${theirs.id}/shared-to/users`, { json: { users: [{ id }] } });

  expect((await browser.get("/settings")).html).toMatch(
    /what you wrote, liked, reposted, followed and played/,
  );
  const { html } = await browser.submit("/settings", "/settings/export");
  const since = expect.any(String);
  const made = { created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/) };
  expect(JSON.parse(html)).toMatchObject({
    tracks: [{ id: own.id, ...made }],
    playlists: [{ id: mine.id, ...made, title: "Exported", track_ids: [song.id, own.id] }],
    comments: [{ id: comment.id, body: "Exported", ...made }],
    transcripts: [{ track_id: own.id, cues: [{ start: 0, end: 1_000, text: "Hello" }] }],
    chapters: [{ track_id: own.id, chapters: [{ start: 1_000, title: "Part" }] }],
    favorites: [{ track_id: song.id, since }],
    reposts: [{ track_id: song.id, since }],
    playlist_likes: [{ playlist_id: set.id, since }],
    playlist_reposts: [{ playlist_id: set.id, since }],
    shares: [{ track_id: own.id, user_id: friend.id, note: "For you", since }],
    webhooks: [{ id: webhook.id, app_id: app.id, url: null, host: "hooks.example.com", enabled: true }],
    shared_with_you: [{ track_id: theirs.id, note: null, since }],
    apps: [{ owner_id: id, client_type: "confidential", deprecated_uses: [] }],
    connections: [{ service: "twitter" }],
    news_mails: [{ mail: "daily", kinds: ["likes", "followers"] }],
  });
  expect(html.replaceAll("previous_secret_expires_at", "")).not.toMatch(
    /hash|sealed|secret|password|ss_|sanitizer|_key"|prefix/,
  );
});

/** Creates tracks of each owner, whose titles are numbers. */
async function createTracks(owners: Person[], each: number): Promise<number[]> {
  const ids: number[] = [];
  for (const owner of owners)
    for (let n = 1; n <= each; n++) ids.push((await createPlayableTrack(owner, { title: String(n) })).id);
  return ids;
}

test("an export of several pieces holds each list whole, and each row once", async () => {
  const { browser, id, username } = await createMember();
  const app = await createApp();
  const me: Person = { id, username, token: await tokenOf(app, username), app };
  const [song, followed] = [await createPlayableTrack(await createUser()), await createUser()];
  await sql(
    `with sets as (insert into playlists (user_id, title, permalink, secret_hash, secret_sealed)
       select $1, 'Set ' || n, 'set-' || n, sha256(gen_random_uuid()::text::bytea), '' from generate_series(1, 250) n),
     said as (insert into comments (user_id, track_id, body, sanitizer_version)
       select $1, $2, repeat('la ', 1000) || n, 1 from generate_series(1, 1001) n)
     insert into followings (user_id, followee_id) values ($1, $3)`,
    [id, song.id, followed.id],
  );
  const friend = await createUser();
  // A piece has two megabytes.
  await sql(
    `insert into track_shares (track_id, user_id, note)
     select t.id, case t.user_id when $1 then $2 else $1 end, repeat('la ', 300000) || t.title
     from tracks t where t.id = any ($3)`,
    [id, friend.id, await createTracks([me, friend], 4)],
  );
  const { html } = await browser.submit("/settings", "/settings/export");
  const exported: Record<string, Record<"permalink" | "body" | "note", string>[]> = JSON.parse(html);
  const last = (values: string[] = []) =>
    values.map((value) => Number(/\d+$/.exec(value))).sort((a, b) => a - b);
  const upTo = (count: number) => Array.from({ length: count }, (_, place) => place + 1);
  expect(last(exported.playlists?.map(({ permalink }) => permalink))).toEqual(upTo(250));
  expect(last(exported.comments?.map(({ body }) => body))).toEqual(upTo(1001));
  for (const list of ["shares", "shared_with_you"])
    expect(last(exported[list]?.map(({ note }) => note))).toEqual(upTo(4));
  expect(exported).toMatchObject({ followings: [{ user_id: followed.id }], plays: [] });
});

test("an export tells by day what the insights do, of all, of each track and of each set", async () => {
  const { browser, id, username } = await createMember();
  const app = await createApp();
  const me: Person = { id, username, token: await tokenOf(app, username), app };
  const [one, two, quiet] = await Promise.all([1, 2, 3].map(() => createPlayableTrack(me)));
  if (!one || !two || !quiet) throw new Error("No tracks");
  const [first, second] = visitors(2) as [never, never];
  const set = await createPlaylist(me, { tracks: named([one.id]) });
  const fan = await createUser();
  await api.as(fan).post(`/likes/tracks/${two.id}`);
  await api.as(fan).post(`/likes/playlists/${set.id}`);
  await api.as(fan).put(`/me/followings/${id}`);
  await deliverPlays(heard(one.id, first), heard(one.id, second), heard(two.id, first));
  await sweepInsights(one.id, two.id);
  const { html } = await browser.submit("/settings", "/settings/export");
  const { insights, track_insights, playlist_insights } = JSON.parse(html);
  const day = new Date().toISOString().slice(0, 10);
  const none = { plays: 0, downloads: 0, likes: 0, reposts: 0, comments: 0, followers: 0 };
  expect(insights).toEqual([{ ...none, day, plays: 3, likes: 1, followers: 1, listeners: 2 }]);
  // Tracks that are made at once have ids in any order.
  expect(track_insights).toEqual(
    [
      { track_id: one.id, days: [{ ...none, day, plays: 2, listeners: 2 }] },
      { track_id: two.id, days: [{ ...none, day, plays: 1, likes: 1, listeners: 1 }] },
    ].sort((a, b) => a.track_id - b.track_id),
  );
  expect(playlist_insights).toEqual([{ playlist_id: set.id, days: [{ ...none, day, likes: 1 }] }]);
});

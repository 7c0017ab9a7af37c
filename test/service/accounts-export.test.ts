import { expect, test } from "vitest";
import { api } from "../support/api.ts";
import { aMember } from "../support/browser.ts";
import { anApp, type Person, someone, tokenOf } from "../support/people.ts";
import { aPlayableTrack } from "../support/tracks.ts";
import { aComment } from "./commenting.ts";
import { aPlaylist, named } from "./playlists.ts";
import { aWebhook } from "./webhook-receiver.ts";

test("the export holds everything that its owner created, marked and shared (X103)", async () => {
  const { browser, id, username } = await aMember();
  const app = await anApp();
  const me: Person = { id, username, token: await tokenOf(app, username), app };
  const [friend, song] = [await someone(), await aPlayableTrack(await someone())];
  const [own, set] = [await aPlayableTrack(me), await aPlaylist(friend)];
  const mine = await aPlaylist(me, { title: "Exported", tracks: named([song.id, own.id]) });
  const comment = await aComment(me, song, { body: "Exported" });
  for (const marks of ["likes", "reposts"])
    for (const path of [`tracks/${song.id}`, `playlists/${set.id}`])
      await api.as(me).post(`/${marks}/${path}`);
  await api.as(me).put(`/tracks/${own.id}/shared-to/users`, {
    json: { users: [{ id: friend.id }], sharing_note: "For you" },
  });
  const webhook = await aWebhook(me, "https://hooks.example.com/", ["track.failed"]);
  const theirs = await aPlayableTrack(friend);
  await api.as(friend).put(`/tracks/${theirs.id}/shared-to/users`, { json: { users: [{ id }] } });

  const { html } = await browser.submit("/settings", "/settings/export");
  const since = expect.any(String);
  expect(JSON.parse(html)).toMatchObject({
    tracks: [{ id: own.id }],
    playlists: [{ id: mine.id, title: "Exported", track_ids: [song.id, own.id] }],
    comments: [{ id: comment.id, body: "Exported" }],
    favorites: [{ track_id: song.id, since }],
    reposts: [{ track_id: song.id, since }],
    playlist_likes: [{ playlist_id: set.id, since }],
    playlist_reposts: [{ playlist_id: set.id, since }],
    shares: [{ track_id: own.id, user_id: friend.id, note: "For you", since }],
    webhooks: [{ id: webhook.id, app_id: app.id, url: webhook.url, events: ["track.failed"], enabled: true }],
    shared_with_you: [{ track_id: theirs.id, note: null, since }],
  });
  expect(html).not.toMatch(/hash|sealed|secret|password|ss_/);
});

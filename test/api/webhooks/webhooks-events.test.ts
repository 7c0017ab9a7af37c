import { beforeAll, describe, expect, test } from "vitest";
import type { WebhookEvent } from "../../../functions/api/webhooks/events.ts";
import { api } from "../../support/api.ts";
import { withParameters } from "../../support/parameters.ts";
import { createApp, createUser, type Person, tokenOf } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlayableTrack, shortWav, uploadTrack, waitForEncode, words } from "../../support/tracks.ts";
import { createComment } from "../comments/comments.support.ts";
import { createPlaylist } from "../playlists/playlists.ts";
import { arrived, createWebhook, deliveriesOf, EVENTS, startReceiver, verified } from "./webhook-receiver.ts";

let fan: Person;

beforeAll(async () => {
  fan = await createUser();
});

/** Actions of users. */
const BY_PEOPLE = ["comment.created", "like.created", "follow.created"];

/** A user with a webhook, and the events it received. */
async function createListener(events = BY_PEOPLE) {
  const [who, receiver] = [await createUser(), await startReceiver()];
  const webhook = await createWebhook(who, receiver.url, events);
  const receiveEvents = async (count: number): Promise<WebhookEvent[]> => {
    await arrived(receiver.received, count);
    return receiver.received.map((one) => verified(webhook.secret, one));
  };
  return { who, webhook, receiveEvents, received: receiver.received };
}

const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe("a webhook receives", () => {
  test("the end of an encode, in success and failure", async () => {
    const { who, receiveEvents } = await createListener(EVENTS);
    const artists = [{ name: "Lee", role: "featured" }];
    const track = await waitForEncode(
      who,
      (await uploadTrack(who, shortWav(), { title: "Told <b> & ]]>", artists })).id,
    );
    const [finished] = await receiveEvents(1);
    expect(finished).toEqual({
      id: expect.any(Number),
      type: "track.finished",
      timestamp: isoTime,
      data: {
        track: {
          id: track.id,
          kind: "track",
          urn: track.urn,
          uri: track.uri,
          title: "Told <b> & ]]>",
          sharing: "public",
          permalink_url: track.permalink_url,
          state: "finished",
          duration: track.duration,
          artists,
        },
      },
    });
    const none = await waitForEncode(who, (await uploadTrack(who, words())).id);
    const [, failed] = await receiveEvents(2);
    expect(failed).toMatchObject({
      type: "track.failed",
      timestamp: isoTime,
      data: { track: { id: none.id, state: "failed", duration: null }, reason: none.encoding?.reason },
    });
  });

  test("comments with their text", async () => {
    const { who, receiveEvents } = await createListener();
    const track = await createPlayableTrack(who, { sharing: "private" });
    await sql("insert into track_shares (track_id, user_id) values ($1, $2)", [track.id, fan.id]);
    const comment = await createComment(fan, track, { body: "Good <b>one</b>", timestamp: 1_500 });
    const [event] = await receiveEvents(1);
    expect(event).toMatchObject({
      type: "comment.created",
      timestamp: isoTime,
      data: {
        comment: {
          id: comment.id,
          urn: comment.urn,
          uri: comment.uri,
          body: comment.body,
          timestamp: 1_500,
          parent_id: null,
        },
        user: { id: fan.id, username: fan.username, uri: `${stack.urls.api}/users/${fan.id}` },
        track: { id: track.id, sharing: "private" },
      },
    });
    const reply = await createComment(fan, track, { parent_id: comment.id });
    expect((await receiveEvents(2))[1]).toMatchObject({
      data: { comment: { id: reply.id, timestamp: 1_500, parent_id: comment.id } },
    });
  });

  test("likes of tracks and playlists by any method, and followers, once each", async () => {
    const { who, receiveEvents, received } = await createListener();
    const track = await createPlayableTrack(who);
    const playlist = await createPlaylist(who);
    const client = api.as(fan);
    await client.post(`/likes/tracks/${track.id}`);
    await receiveEvents(1);
    await client.delete(`/likes/tracks/${track.id}`);
    await client.put(`/me/favorites/${track.id}`);
    await client.post(`/likes/playlists/${playlist.id}`);
    await receiveEvents(2);
    await client.put(`/me/followings/${who.id}`);
    await client.delete(`/me/followings/${who.id}`);
    await client.put(`/me/followings/${who.id}`);
    const events = await receiveEvents(3);
    expect(events).toMatchObject([
      { type: "like.created", data: { track: { id: track.id }, user: { id: fan.id } } },
      {
        type: "like.created",
        data: {
          playlist: { id: playlist.id, uri: playlist.uri, permalink_url: playlist.permalink_url },
          user: { id: fan.id },
        },
      },
      { type: "follow.created", data: { user: { id: fan.id } } },
    ]);
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(3);
  });

  test("requests with everything needed to understand them: JSON, the sender, no token", async () => {
    const { who, receiveEvents, received } = await createListener();
    await api.as(fan).put(`/me/followings/${who.id}`);
    await receiveEvents(1);
    expect(received[0]).toMatchObject({
      path: "/hook",
      headers: { "content-type": "application/json", "user-agent": "Soundpost-Webhooks/1" },
    });
    expect(received[0]?.headers.authorization).toBeUndefined();
  });
});

describe("a webhook does not receive", () => {
  test("its own user's actions", async () => {
    const { who, webhook } = await createListener();
    const [track, playlist] = [await createPlayableTrack(who), await createPlaylist(who)];
    await createComment(who, track);
    await api.as(who).post(`/likes/tracks/${track.id}`);
    await api.as(who).post(`/likes/playlists/${playlist.id}`);
    expect(await deliveriesOf(who, webhook)).toEqual([]);
  });

  test("events it did not subscribe to, or any while disabled", async () => {
    const { who, webhook } = await createListener(["comment.created"]);
    const track = await createPlayableTrack(who);
    await api.as(fan).post(`/likes/tracks/${track.id}`);
    await api.as(who).put(`/me/webhooks/${webhook.id}`, { json: { enabled: false } });
    await createComment(fan, track);
    expect(await deliveriesOf(who, webhook)).toEqual([]);
  });

  test("events of other users", async () => {
    const { who, webhook } = await createListener();
    const track = await createPlayableTrack(await createUser());
    await createComment(who, track);
    await api.as(fan).post(`/likes/tracks/${track.id}`);
    expect(await deliveriesOf(who, webhook)).toEqual([]);
  });

  test("events after its app was disconnected or the password changed", async () => {
    const who = await createUser();
    const receiver = await startReceiver();
    const app = await createApp();
    const [its, other] = [
      await createWebhook({ ...who, token: await tokenOf(app, who.username) }, receiver.url),
      await createWebhook(who, receiver.url),
    ];
    const states = async () =>
      (
        await sql("select enabled, disabled_reason from webhooks where user_id = $1 order by id", [who.id])
      ).map((row) => Object.values(row));
    await sql("select end_access($1, $2)", [who.id, app.id]);
    expect([its.app_id, other.app_id]).toEqual([app.id, who.app.id]);
    expect(await states()).toEqual([
      [false, "access_ended"],
      [true, null],
    ]);
    await sql("select end_access($1, null)", [who.id]);
    expect(await states()).toEqual([
      [false, "access_ended"],
      [false, "access_ended"],
    ]);
    await api.as(fan).put(`/me/followings/${who.id}`);
    expect(receiver.received).toEqual([]);
  });
});

test("each event is documented as it is sent", async () => {
  const { webhooks } = withParameters(
    (await (await fetch(`${stack.urls.api}/openapi.json`)).json()) as {
      webhooks: Record<string, { post: { parameters: { name: string; required: boolean }[] } }>;
    },
  );
  expect(Object.keys(webhooks).sort()).toEqual([...EVENTS, "webhook.test"].sort());
  for (const { post } of Object.values(webhooks))
    expect(post.parameters.map(({ name, required }) => [name, required])).toEqual([
      ["webhook-id", true],
      ["webhook-timestamp", true],
      ["webhook-signature", true],
    ]);
});

test("each webhook of a user gets the event, with the state of things deleted meanwhile", {
  timeout: 240_000,
}, async () => {
  const { who, receiveEvents, webhook } = await createListener();
  const second = await startReceiver();
  const { secret } = await createWebhook(who, second.url, BY_PEOPLE);
  const track = await createPlayableTrack(who, { title: "Soon gone" });
  await createComment(fan, track, { body: "Soon gone too" });
  await api.as(who).delete(`/tracks/${track.id}`);
  const [event] = await receiveEvents(1);
  await arrived(second.received, 1);
  const [first] = second.received;
  expect(event).toMatchObject({
    data: { track: { id: track.id, title: "Soon gone" }, comment: { body: "Soon gone too" } },
  });
  expect(first && verified(secret, first)).toMatchObject({ type: "comment.created" });
  expect((await deliveriesOf(who, webhook))[0]?.payload).toEqual(event);
});

import { expect, test } from "vitest";
import type { WebhookEvent } from "../../../functions/api/webhooks/events.ts";
import { api } from "../../support/api.ts";
import { createApp, createUser, type Person, tokenOf } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { createComment } from "../comments/comments.support.ts";
import { Listener } from "./event-listener.ts";
import { arrived, createWebhook, deliveriesOf, expectDelivery, startReceiver } from "./webhook-receiver.ts";

const throughAnother = async (who: Person): Promise<Person> => {
  const app = await createApp();
  return { ...who, app, token: await tokenOf(app, who.username) };
};

/** A user of three apps, two of which have a webhook at one receiver. */
async function createOwner() {
  const [one, receiver] = [await createUser(), await startReceiver()];
  const [two, none] = [await throughAnother(one), await throughAnother(one)];
  const webhooks = [await createWebhook(one, receiver.url), await createWebhook(two, receiver.url)];
  return { one, two, none, webhooks, received: receiver.received };
}

const bodies = (received: { body: string }[]): WebhookEvent[] => received.map(({ body }) => JSON.parse(body));

const eventOf = async (who: Person, id: number | undefined) => {
  const { status, body } = await api.as(who).get<WebhookEvent>(`/me/events/${id}`);
  return status === 200 ? body : status;
};

test("an event is the same for webhooks of two apps, for a stream and by its id", async () => {
  const { one, two, none, received } = await createOwner();
  const ben = await createUser();
  const track = await createPlayableTrack(one);
  const listener = await new Listener().open(none);
  const comment = await createComment(ben, track, { body: "Fine" });
  await listener.received(1);
  await arrived(received, 2);
  const [{ id, event } = { id: "", event: undefined }] = listener.messages;
  expect(event).toMatchObject({ id: Number(id), data: { comment: { created_at: comment.created_at } } });
  expect(bodies(received)).toEqual([event, event]);
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(2);
  for (const who of [one, two, none]) expect(await eventOf(who, Number(id))).toEqual(event);
  expect(await eventOf(ben, Number(id))).toBe(404);
  listener.stop();
});

test("an event that the log has forgotten is there for apps whose webhooks it went to", async () => {
  const { one, two, none, webhooks, received } = await createOwner();
  (await new Listener().open(none)).stop();
  await api.as(await createUser()).put(`/me/followings/${one.id}`);
  await arrived(received, 2);
  const [event] = bodies(received);
  await sql("delete from stream_events where user_id = $1", [one.id]);
  expect([await eventOf(one, event?.id), await eventOf(two, event?.id)]).toEqual([event, event]);
  expect(await eventOf(none, event?.id)).toBe(404);
  await api.as(two).delete(`/me/webhooks/${webhooks[1]?.id}`);
  expect(await eventOf(two, event?.id)).toBe(404);
});

test("an event has its id without a stream, and keeps it when it is sent again", async () => {
  const { one, none, webhooks, received } = await createOwner();
  await api.as(await createUser()).put(`/me/followings/${one.id}`);
  await arrived(received, 2);
  const webhook = webhooks[0] ?? { id: 0 };
  await expectDelivery(one, webhook, { state: "delivered" });
  const [delivery] = await deliveriesOf(one, webhook);
  await api.as(one).post(`/me/webhooks/${webhook.id}/deliveries/${delivery?.id}/replay`);
  await arrived(received, 3);
  const [event, ...others] = bodies(received);
  expect(others).toEqual([event, event]);
  expect(delivery?.payload).toEqual(event);
  expect(await eventOf(one, event?.id)).toEqual(event);
  expect(await eventOf(none, event?.id)).toBe(404);
});

test("a test event has an id, too", async () => {
  const { one, two, webhooks } = await createOwner();
  const { body } = await api.as(one).post<{ payload: WebhookEvent }>(`/me/webhooks/${webhooks[0]?.id}/test`);
  expect(await eventOf(one, body.payload.id)).toEqual(body.payload);
  expect(await eventOf(two, body.payload.id)).toBe(404);
});

test("404: an id that is none, and one of nothing", async () => {
  const ana = await createUser();
  expect([await eventOf(ana, Number.NaN), await eventOf(ana, 1)]).toEqual([404, 404]);
});

test("a stream goes on after an id of an older release, which named a transaction before it", async () => {
  const { one } = await createOwner();
  const before = await new Listener().open(one);
  for (const _ of [1, 2]) await api.as(await createUser()).put(`/me/followings/${one.id}`);
  await before.received(2);
  before.stop();
  const after = await new Listener().open(one, `7.${before.messages[0]?.id}`);
  await after.received(1);
  expect(after.messages).toEqual(before.messages.slice(1));
  after.stop();
});

import { expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { runCron, sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { createPlaylist, named } from "../playlists/playlists.ts";
import { arrived, createWebhook, deliveriesOf, startReceiver, verified } from "./webhook-receiver.ts";

const minute = () => runCron("* * * * *");

const idsOf = (tracks: { id: number }[]) => tracks.map(({ id }) => id);

const fallDue = (tracks: { id: number }[]) =>
  sql("update tracks set publish_at = date_trunc('second', now()) where id = any ($1)", [idsOf(tracks)]);

const createDraft = (owner: Person) => createPlayableTrack(owner, { sharing: "private" });

/** A user with a webhook about publications, and what it received. */
async function createListener() {
  const [owner, receiver] = [await createUser(), await startReceiver()];
  const webhook = await createWebhook(owner, receiver.url, ["track.published"]);
  const received = () => receiver.received.map((one) => verified(webhook.secret, one));
  return { owner, webhook, receiver, received };
}

test("a webhook hears of each track that is published at its time once, however often the cron runs", async () => {
  const { owner, webhook, receiver, received } = await createListener();
  const tracks = [await createDraft(owner), await createDraft(owner)];
  await createPlaylist(owner, { sharing: "private", tracks: named(idsOf(tracks)) });
  await fallDue(tracks);
  await Promise.all([minute(), minute(), minute()]);
  await minute();
  await arrived(receiver.received, 2);
  expect(await deliveriesOf(owner, webhook)).toHaveLength(2);
  for (const { id } of tracks) {
    const { body } = await api.as(owner).get<Track>(`/tracks/${id}`);
    const { urn, uri, title, permalink_url, duration } = body;
    expect(received()).toContainEqual({
      id: expect.any(Number),
      type: "track.published",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      data: {
        track: {
          id,
          kind: "track",
          urn,
          uri,
          title,
          permalink_url,
          sharing: "public",
          state: "finished",
          duration,
          artists: [],
        },
      },
    });
  }
});

test("a publication by hand is the user's own act, and one that is taken down is none", async () => {
  const { owner, webhook, receiver, received } = await createListener();
  const [byHand, taken, scheduled] = await Promise.all([
    createDraft(owner),
    createDraft(owner),
    createDraft(owner),
  ]);
  const json = { track: { publish_at: new Date(Date.now() + 86_400_000).toISOString() } };
  await api.as(owner).put(`/tracks/${byHand.id}`, { json });
  await api.as(owner).put(`/tracks/${byHand.id}`, { json: { track: { sharing: "public" } } });
  await sql("update tracks set taken_down_at = now() where id = $1", [taken.id]);
  await fallDue([taken, scheduled]);
  await minute();
  await arrived(receiver.received, 1);
  expect(await deliveriesOf(owner, webhook)).toHaveLength(1);
  expect(received()).toMatchObject([{ data: { track: { id: scheduled.id } } }]);
});

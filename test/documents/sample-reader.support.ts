import { toneFile } from "../../workers/build/tone.ts";
import { createConnection } from "../api/connections/connections.support.ts";
import { createCreditedTrack } from "../api/credits/credits.support.ts";
import { feedOf, ownerOf, startFeedServer } from "../api/imports/feed-server.ts";
import { newEmail } from "../api/imports/imports.support.ts";
import { createRestingDelivery } from "../api/webhooks/webhook-receiver.ts";
import { api } from "../support/api.ts";
import { createUser, type Person } from "../support/people.ts";
import { sql, stack } from "../support/stack.ts";
import {
  createPlayableTrack,
  createReadyUpload,
  createRetryableTrack,
  uploadFinishedTrack,
} from "../support/tracks.ts";

export type SampleReader = Awaited<ReturnType<typeof createSampleReader>>;

const TRANSCRIPT = { transcript: { content: "WEBVTT\n\n00:00.000 --> 00:01.000\nHello" } };

/** A reader of the docs who has one of everything that their samples name. */
export async function createSampleReader() {
  const [ana, ben] = await Promise.all([createUser({ plan: "artist" }), createUser()]);
  const as = api.as(ana);
  const made = async (path: string, json: object) => (await as.post<{ id: number }>(path, { json })).body.id;
  const [dee] = await Promise.all([createUser(), createPlayableTrack(ana)]);
  await createRetryableTrack(ana);
  const { id: track } = await uploadFinishedTrack(ana, { downloadable: true });
  const playlist = await made("/playlists", { playlist: { title: "A", tracks: [{ id: track }] } });
  const feed = await serveFeed();
  const webhook = {
    id: await made("/me/webhooks", { url: "https://hooks.example/first", events: ["like.created"] }),
  };
  await Promise.all([
    as.put(`/playlists/${playlist}/podcast`, { json: { podcast: { category: "Music" } } }),
    as.put(`/tracks/${track}/transcript`, { json: TRANSCRIPT }),
    as.put(`/tracks/${track}/chapters`, { json: { chapters: [{ startTime: 0, title: "A" }] } }),
    made(`/tracks/${track}/comments`, { comment: { body: "A" } }),
    ...["likes", "reposts"].flatMap((acts) => [
      as.post(`/${acts}/tracks/${track}`),
      as.post(`/${acts}/playlists/${playlist}`),
    ]),
    createPlayableTrack(ben).then(({ id }) => as.post(`/likes/tracks/${id}`)),
    as.put(`/me/followings/${ben.id}`),
    as.put(`/me/followings/${dee.id}`),
    api.as(ben).put(`/me/followings/${ana.id}`),
    createCreditedTrack(ben, [ana]).then(({ id }) => as.post(`/likes/tracks/${id}`)),
    made("/me/apps", { name: "Mine", redirect_uris: ["https://player.example/callback"] }),
    createRestingDelivery(webhook),
    createConnection(ana),
    createReadyUpload(ana, new Blob([new Uint8Array(toneFile())]), "tone.wav"),
    made("/uploads", { filename: "a.wav", size: 10, type: "audio/wav" }),
    createFailedImport(ana, feed),
  ]);
  return { ana, feed };
}

/** Reads the ids that the docs fill into their samples. */
export async function idsOf({ token }: Person): Promise<Record<string, unknown>> {
  const headers = { Authorization: `Bearer ${token}` };
  const reply = await fetch(`${stack.urls.api}/docs/samples.json`, { headers });
  if (!reply.ok) throw new Error(`No samples: ${reply.status} ${await reply.text()}`);
  return (await reply.json()) as Record<string, unknown>;
}

/** Serves a podcast's feed at another host. */
async function serveFeed(): Promise<string> {
  const server = await startFeedServer();
  const episode = { guid: "1", url: `${server.origin}/1.mp3` };
  return server.serve("/feed.xml", { bytes: feedOf("Night Trains", ownerOf(newEmail()), [episode]) });
}

async function createFailedImport(who: Person, feed_url: string): Promise<void> {
  const { body } = await api
    .as(who)
    .post<{ id: number }>("/me/podcast-imports", { json: { podcast_import: { feed_url } } });
  await sql("update podcast_import_episodes set state = 'failed' where import_id = $1", [body.id]);
  await sql("update podcast_imports set state = 'done' where id = $1", [body.id]);
}

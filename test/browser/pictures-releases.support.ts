import type { Playlist } from "../../functions/api/playlists/representation.ts";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { type FeedServer, feedOf, ownerOf } from "../api/imports/feed-server.ts";
import { begin, moveIn, newEmail, waitForImport } from "../api/imports/imports.support.ts";
import { api } from "../support/api.ts";
import type { Person } from "../support/people.ts";
import { sweepWav } from "../support/sources/pcm.ts";
import { createTrack } from "../support/tracks.ts";
import { finishedTrack } from "./finished-track.ts";

/** Fills the pages of releases, credits, episodes and moves for `pictures.test.ts`. */

const VTT = `WEBVTT

00:00.000 --> 00:03.000
<v Ana>Good morning from the harbour, where the fog has not lifted yet.

00:03.000 --> 00:07.000
<v Ben>And good morning to everybody who is still at sea.
`;

/** Credits, a release that waits for its time, a recording for another's place, and the texts of an episode. */
export async function fillReleases(ana: Person, ben: Person, track: Track, set: Playlist | undefined) {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  const mastered = await finishedTrack(ana, { title: "Harbour at dawn (master)", sharing: "private" });
  await createTrack(ana, {
    title: "Tomorrow",
    permalink: "tomorrow",
    sharing: "private",
    publish_at: tomorrow,
  });
  const later = {
    title: "Tomorrow",
    sharing: "private",
    publish_at: tomorrow,
    tracks: [{ id: mastered.id }],
  };
  await api.as(ana).post("/playlists", { json: { playlist: later } });
  await api.as(ana).put(`/playlists/${set?.id}`, { json: { playlist: { playlist_type: "ep single" } } });

  const artists = [
    { name: "Ana", role: "main" },
    { name: "Ben", role: "featured", user_id: ben.id },
    { name: "The orchestra of the harbour", role: "performer" },
  ];
  await api.as(ana).put(`/tracks/${track.id}`, { json: { track: { artists } } });
  await api.as(ben).put(`/me/credits/${track.id}`);
  const answer = await finishedTrack(ben, { title: "A duet of Ben's" });
  const duet = [
    { name: "Ben", role: "main" },
    { name: "Ana", role: "guest", user_id: ana.id },
  ];
  await api.as(ben).put(`/tracks/${answer.id}`, { json: { track: { artists: duet } } });

  await api.as(ana).put(`/tracks/${track.id}/episode`, { json: { episode: { season: 2, number: 3 } } });
  await api.as(ana).put(`/tracks/${track.id}/transcript`, { json: { transcript: { content: VTT } } });
  return { mastered: mastered.id };
}

/** A podcast that has moved in, and one that is not confirmed yet. */
export async function moveShows(ana: Person, server: FeedServer) {
  const bytes = sweepWav(2);
  const serve = (title: string, email: string) => {
    const items = ["First", "Second"].map((name) => ({
      guid: `${title}-${name}`,
      title: `${name} of ${title}`,
      url: server.serve(`/${title}-${name}.wav`, { bytes, type: "audio/wav" }),
    }));
    return server.serve(`/${title}.xml`, {
      bytes: feedOf(title, ownerOf(email), [...items, { guid: `${title}-3`, title: "Letter" }]),
    });
  };
  const email = newEmail();
  const { id: movedIn } = await moveIn(ana, serve("Nights", email), email);
  await waitForImport(ana, movedIn);
  const { body } = await begin(ana, serve("Days", newEmail()));
  return { movedIn, preview: body.id };
}

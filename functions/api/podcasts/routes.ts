import type { Context } from "hono";
import { openDatabase } from "../../../db/client.ts";
import { giveFeedGuid } from "../../../db/queries/podcast-feed.ts";
import { endPodcast } from "../../../db/queries/podcasts.ts";
import {
  type ApiPodcast,
  changeEpisode,
  changePodcast,
  readEpisode,
  readPodcast,
} from "../../../db/queries/podcasts-api.ts";
import type { UserEnv } from "../../lib/http/env.ts";
import { notFound } from "../../lib/http/errors.ts";
import { budgetOf, settleBudget } from "../../lib/http/limits/budgets.ts";
import { Routes } from "../../lib/http/route.ts";
import { StatusBody, statusBody } from "../../lib/http/status.ts";
import { unwrap as unwrapPlaylist } from "../playlists/errors.ts";
import { PlaylistId } from "../playlists/input.ts";
import { unwrap as unwrapTrack } from "../tracks/errors.ts";
import { TrackId } from "../tracks/input.ts";
import { EpisodeChangesBody, PodcastChangesBody } from "./input.ts";
import { Episode, Podcast, representEpisode, representPodcast } from "./representation.ts";

/** Fields that only feeds show and only the owner reads and writes. */
export const podcasts = new Routes();

const OTHERS_PLAYLIST = { 403: "The playlist is another user's." };
const OTHERS_TRACK = { 403: "The track is another user's." };

podcasts.get(
  "/playlists/:id/podcast",
  {
    operationId: "getPodcast",
    summary: "Get a playlist's podcast fields",
    description:
      "Owners only. 404 while the playlist is no podcast. Every playlist has a feed; these fields are what directories ask for.",
    auth: "user",
    params: PlaylistId,
    replies: { 200: Podcast },
    errors: OTHERS_PLAYLIST,
  },
  async (c, { params: { id } }) => {
    const { podcast, set } = unwrapPlaylist(await readPodcast(c.var.db, c.var.viewer, id));
    return showPodcast(c, { podcast: podcast ?? notFound("Podcast"), set });
  },
);

podcasts.put(
  "/playlists/:id/podcast",
  {
    operationId: "changePodcast",
    summary: "Change a playlist's podcast fields",
    description:
      "Makes the playlist a podcast if it is none. Omitted fields stay unchanged. Null or an empty form value clears a nullable field.",
    auth: "user",
    scope: "playlists",
    params: PlaylistId,
    body: PodcastChangesBody,
    accepts: ["json", "form"],
    replies: { 200: Podcast },
    errors: { ...OTHERS_PLAYLIST, 429: "Too many edits of playlists in an hour." },
  },
  async (c, { params: { id }, body }) => {
    const budget = budgetOf(c.env, "playlist-edits");
    const changed = await changePodcast(c.var.db, c.var.viewer, id, body.podcast, budget);
    const settled = unwrapPlaylist(settleBudget(c, "playlist-edits", changed));
    return showPodcast(c, settled);
  },
);

podcasts.delete(
  "/playlists/:id/podcast",
  {
    operationId: "deletePodcast",
    summary: "Remove a playlist's podcast fields",
    description: "The playlist and its feed stay.",
    auth: "user",
    scope: "playlists",
    params: PlaylistId,
    replies: { 200: StatusBody },
    errors: OTHERS_PLAYLIST,
  },
  async (c, { params: { id } }) => {
    unwrapPlaylist(await endPodcast(c.var.db, c.var.viewer, id));
    return c.json(statusBody(200));
  },
);

podcasts.get(
  "/tracks/:id/episode",
  {
    operationId: "getEpisode",
    summary: "Get a track's fields as an episode",
    description: "Owners only. All but `chapters` are null until you set them.",
    auth: "user",
    params: TrackId,
    replies: { 200: Episode },
    errors: OTHERS_TRACK,
  },
  async (c, { params: { id } }) =>
    c.json(representEpisode(unwrapTrack(await readEpisode(c.var.db, c.var.viewer, id)))),
);

podcasts.put(
  "/tracks/:id/episode",
  {
    operationId: "changeEpisode",
    summary: "Change a track's fields as an episode",
    description:
      "Only feeds show them. Omitted fields stay unchanged. Null or an empty form value clears a field. Chapters come from the track's description: lines that begin with a time, such as `0:00 Hello` and `12:30 The guest`.",
    auth: "user",
    scope: "tracks",
    params: TrackId,
    body: EpisodeChangesBody,
    accepts: ["json", "form"],
    replies: { 200: Episode },
    errors: OTHERS_TRACK,
  },
  async (c, { params: { id }, body }) =>
    c.json(representEpisode(unwrapTrack(await changeEpisode(c.var.db, c.var.viewer, id, body.episode)))),
);

/** Stores a GUID that is shown for the first time, so that it outlives the feed's address. */
function showPodcast(c: Context<UserEnv>, found: ApiPodcast): Response {
  const podcast = representPodcast(c.env, found);
  if (found.set.guid === null)
    c.executionCtx.waitUntil(
      // A failure does not matter: the next reader's request stores it.
      giveFeedGuid(openDatabase(c.env), c.var.viewer.userId, found.set.permalink, podcast.guid).catch(
        () => {},
      ),
    );
  return c.json(podcast);
}

import { deleteTrack } from "../../../db/queries/own-tracks.ts";
import { listRelatedTracks, type RelatedPosition } from "../../../db/queries/related-tracks.ts";
import { notFound } from "../../lib/http/errors.ts";
import { expectedVersions, taggedReply } from "../../lib/http/etag.ts";
import { movedTo, Redirect } from "../../lib/http/redirect.ts";
import { Routes } from "../../lib/http/route.ts";
import { StatusBody, statusBody } from "../../lib/http/status.ts";
import { NO_OWNER, ownerInQuery, UserId } from "../users/input.ts";
import { ClassicTrack, createTrackFromForm } from "./classic-upload.ts";
import { unwrap } from "./errors.ts";
import { findVisibleTrack, urlUnder } from "./find.ts";
import { NewTrackBody, SecretToken, TrackChangesBody, TrackChangesForm, TrackId } from "./input.ts";
import { TrackListQuery, Tracks, trackPage } from "./list.ts";
import { sendTrackList } from "./ordered-page.ts";
import { representTrack, Track } from "./representation.ts";
import { presentedBy } from "./secret.ts";
import { changeTrack, createTrackFromUpload } from "./write.ts";

export const tracks = new Routes();

tracks.get(
  "/tracks",
  {
    operationId: "listTracks",
    summary: "List or search tracks, newest first",
    description:
      "Public tracks and your own. Filters combine with AND, entries of a comma-separated list with OR. Like every " +
      "list of tracks, a page ends early at 2 MiB of descriptions; `next_href` leads on.",
    auth: "token",
    query: TrackListQuery.extend(ownerInQuery("tracks").shape),
    replies: { 200: Tracks },
    errors: NO_OWNER,
  },
  (c, { query: { user_id: owner, ...query } }) =>
    trackPage(c, query, { list: "tracks", ...(owner !== undefined && { owner }) }),
);

tracks.get(
  "/me/tracks",
  {
    operationId: "listMyTracks",
    summary: "List your tracks, newest first",
    description:
      "Includes private and unfinished tracks. Sorted by first publication, latest first; a track that was never public is sorted by its upload. Takes the filters of `/tracks`.",
    auth: "user",
    query: TrackListQuery,
    replies: { 200: Tracks },
  },
  (c, { query }) => trackPage(c, query, { list: "me/tracks", owner: c.var.viewer.userId }),
);

tracks.get(
  "/users/:id/tracks",
  {
    operationId: "listUserTracks",
    summary: "List a user's tracks, newest first",
    description:
      "Sorted by first publication, latest first, as on the profile and in feeds. Takes the filters of `/tracks`. Your own list includes private items.",
    auth: "token",
    params: UserId,
    query: TrackListQuery,
    replies: { 200: Tracks },
  },
  (c, { params, query }) => trackPage(c, query, { list: "users/tracks", owner: params.id }),
);

tracks.post(
  "/tracks",
  {
    operationId: "createTrack",
    summary: "Create a track",
    description:
      "Takes a file in a multipart form, with fields before or after it, or an upload session by its " +
      "`upload_id`. Repeating a request with the same `upload_id` returns the first track. The track is queued for " +
      "encoding.",
    auth: "user",
    scope: "tracks",
    body: NewTrackBody,
    accepts: ["json", "form"],
    upload: { body: ClassicTrack, answer: createTrackFromForm },
    replies: { 201: Track },
    errors: {
      403: "The file is more than your quota has left; see `quota` in `/me`.",
      429: "Too many users named as artists in an hour.",
    },
  },
  async (c, { body }) => {
    const track = representTrack(c.env, await createTrackFromUpload(c, body.track));
    return c.json(track, 201, { Location: track.uri });
  },
);

tracks.get(
  "/tracks/:id",
  {
    operationId: "getTrack",
    summary: "Get a track",
    description:
      "A private track needs its `secret_token`, unless it is yours or shared with you. `ETag` saves repeated transfers. The id of a track that another one superseded redirects to that.",
    auth: "token",
    params: TrackId,
    query: SecretToken,
    precondition: "If-None-Match",
    replies: { 200: Track, 301: Redirect },
  },
  async (c, { params, query }) => {
    const track = await findVisibleTrack(c, params.id, query.secret_token);
    if (track.id !== params.id) return movedTo(c, urlUnder(c, track.id));
    return taggedReply(c, representTrack(c.env, track), track.updated_at);
  },
);

tracks.get(
  "/me/tracks/:id",
  {
    operationId: "getMyTrack",
    summary: "Get one of your tracks",
    description: "Like `/tracks/{id}`, but 404 for other users' tracks.",
    auth: "user",
    params: TrackId,
    precondition: "If-None-Match",
    replies: { 200: Track, 301: Redirect },
  },
  async (c, { params }) => {
    const track = await findVisibleTrack(c, params.id);
    if (track.owned && track.id !== params.id) return movedTo(c, urlUnder(c, track.id));
    return track.owned ? taggedReply(c, representTrack(c.env, track), track.updated_at) : notFound("Track");
  },
);

tracks.put(
  "/tracks/:id",
  {
    operationId: "updateTrack",
    summary: "Update a track",
    description:
      "Omitted fields stay unchanged. Null or an empty form value clears a nullable field. The audio " +
      "cannot be replaced.",
    auth: "user",
    scope: "tracks",
    params: TrackId,
    body: TrackChangesBody,
    form: TrackChangesForm,
    accepts: ["json", "form", "multipart"],
    precondition: "If-Match",
    replies: { 200: Track },
    errors: {
      403: "The track is another user's, or was taken down and would become public.",
      429: "Too many users named as artists in an hour.",
    },
  },
  async (c, { params, body }) => c.json(representTrack(c.env, await changeTrack(c, params.id, body.track))),
);

tracks.delete(
  "/tracks/:id",
  {
    operationId: "deleteTrack",
    summary: "Delete a track",
    description: "Deletes audio, comments and likes too. Its streams end within a minute.",
    auth: "user",
    scope: "tracks",
    params: TrackId,
    precondition: "If-Match",
    replies: { 200: StatusBody },
    errors: { 403: "The track is another user's." },
  },
  async (c, { params }) => {
    unwrap(await deleteTrack(c.var.db, c.var.viewer, params.id, expectedVersions(c)));
    return c.json(statusBody(200));
  },
);

tracks.get(
  "/tracks/:id/related",
  {
    operationId: "listRelatedTracks",
    summary: "List related tracks",
    description:
      "Sorted by shared metadata: the artist's name counts three, each tag two, the genre one. Ties go to the newer " +
      "track, and the owner's other tracks come last. Only the newest 500 tracks with a common value count, and the " +
      "newest 200 of the owner's. Takes the filters of `/tracks`. A search does not change the order; `sort` uses the time.",
    auth: "token",
    params: TrackId,
    query: TrackListQuery.extend(SecretToken.shape),
    replies: { 200: Tracks },
  },
  (c, { params: { id }, query: { secret_token, ...given } }) => {
    const presented = presentedBy(c.req, secret_token);
    return sendTrackList<RelatedPosition>(c, given, {
      name: `tracks/${id}/related`,
      of: "Track",
      ask: (asked) => listRelatedTracks(c.var.db, c.var.viewer, id, presented, asked),
    });
  },
);

import { Hono } from "hono";
import { deleteTrack } from "../../db/queries/own-tracks.ts";
import { body, operation, param, query } from "../http/contract.ts";
import type { AppEnv } from "../http/env.ts";
import { ErrorBody } from "../http/errors.ts";
import { expectedVersions, guarded, replyTagged, tagged } from "../http/etag.ts";
import { StatusBody, statusBody } from "../http/status.ts";
import { requireToken, requireUser } from "../http/viewer.ts";
import { classicUpload } from "./classic-upload.ts";
import { createTrackFromUpload } from "./create.ts";
import { files } from "./file-routes.ts";
import { NewTrackBody, SecretToken, TrackChangesBody, TrackId } from "./input.ts";
import { owning } from "./owner-routes.ts";
import { done } from "./refusals.ts";
import { related } from "./related.ts";
import { asTrack } from "./represent.ts";
import { Track } from "./representation.ts";
import { changeTrack } from "./update.ts";
import { visibleTrackText } from "./visible.ts";

export const tracks = new Hono<AppEnv>();

tracks.post(
  "/",
  operation(
    "Create a track",
    { 201: Track, 400: ErrorBody, 413: ErrorBody, 415: ErrorBody, 422: ErrorBody },
    {
      description:
        "Of a file in a multipart form, whose fields may stand before or after it, or of an upload session by its " +
        "`upload_id`, which may be asked for again and answers with the first track. It is queued for encoding.",
    },
  ),
  requireUser,
  classicUpload,
  body(NewTrackBody, ["json", "form"]),
  async (c) => {
    const track = asTrack(c.env, await createTrackFromUpload(c, c.req.valid("json").track));
    return c.json(track, 201, { Location: track.uri });
  },
);

tracks.get(
  "/:id",
  operation("Get a track", { 200: Track, 404: ErrorBody }),
  tagged,
  requireToken,
  param(TrackId),
  query(SecretToken),
  async (c) => {
    const { secret_token } = c.req.valid("query");
    return replyTagged(c, await visibleTrackText(c, c.req.valid("param").id, secret_token));
  },
);

tracks.put(
  "/:id",
  operation(
    "Update a track",
    { 200: Track, 403: ErrorBody },
    {
      description:
        "What is left out stays as it is; null, or a form's empty value, takes away what may be null. The audio cannot be replaced.",
    },
  ),
  guarded,
  requireUser,
  param(TrackId),
  body(TrackChangesBody, ["json", "form", "multipart"]),
  async (c) => {
    const track = await changeTrack(c, c.req.valid("param").id, c.req.valid("json").track);
    return c.json(asTrack(c.env, track));
  },
);

tracks.delete(
  "/:id",
  operation("Delete a track", { 200: StatusBody, 403: ErrorBody, 404: ErrorBody }),
  guarded,
  requireUser,
  param(TrackId),
  async (c) => {
    done(await deleteTrack(c.var.db, c.var.viewer, c.req.valid("param").id, expectedVersions(c)));
    return c.json(statusBody(200));
  },
);

tracks.route("/", files);
tracks.route("/", owning);
tracks.route("/", related);

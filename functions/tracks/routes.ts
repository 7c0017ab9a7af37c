import { type Context, Hono } from "hono";
import { findTrack, type TrackRow } from "../../db/queries/tracks.ts";
import { body, operation, param, query } from "../http/contract.ts";
import type { AppEnv, TokenEnv } from "../http/env.ts";
import { ErrorBody, forbidden, HttpError, notFound, stillSignedIn, unauthorized } from "../http/errors.ts";
import { requireToken, requireUser } from "../http/viewer.ts";
import { classicUpload } from "./classic-upload.ts";
import { createTrackFromUpload } from "./create.ts";
import { NewTrackBody, SecretToken, TrackId } from "./input.ts";
import { asTrack } from "./represent.ts";
import { Track } from "./representation.ts";
import { presentedBy } from "./secret.ts";
import { Streams, streamsOf } from "./streams.ts";

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
  requireToken,
  param(TrackId),
  query(SecretToken),
  async (c) => {
    const track = await visibleTrack(c, c.req.valid("param").id, c.req.valid("query").secret_token);
    return c.json(asTrack(c.env, track));
  },
);

const STREAMS = {
  streams: "Get the links to a track's streams",
  stream: "Get the links to a track's streams, by their older name",
};

for (const [name, summary] of Object.entries(STREAMS)) {
  tracks.get(
    `/:id/${name}`,
    operation(summary, { 200: Streams, 403: ErrorBody, 404: ErrorBody }),
    requireToken,
    param(TrackId),
    query(SecretToken),
    async (c) => {
      const secretToken = c.req.valid("query").secret_token;
      const track = await visibleTrack(c, c.req.valid("param").id, secretToken);
      refuseUnplayable(c, track);
      const listener = {
        userId: c.get("viewer").userId,
        presentedSecret: secretToken !== undefined && !track.owned,
      };
      return c.json(streamsOf(c.env, track, listener), 200, { "Cache-Control": "private, no-store" });
    },
  );
}

async function visibleTrack(
  c: Context<TokenEnv>,
  id: number,
  secretToken: string | undefined,
): Promise<TrackRow> {
  const { track } = stillSignedIn(
    await findTrack(c.get("db"), c.get("viewer"), id, presentedBy(c.req, secretToken)),
  );
  return track ?? notFound("Track");
}

function refuseUnplayable(c: Context<TokenEnv>, track: TrackRow): void {
  if (track.sharing === "private" && c.get("viewer").userId === null) {
    unauthorized("Streaming a private track needs a user's access token", true);
  }
  if (track.access === "blocked") forbidden("The track is not streamable for you");
  if (track.state !== "finished")
    throw new HttpError(404, [`The track is not ready to play: its state is ${track.state}`]);
}

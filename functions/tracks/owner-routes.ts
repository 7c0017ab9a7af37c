import { Hono } from "hono";
import { findTrackShares, retryTrack, rotateTrackSecret, shareTrack } from "../../db/queries/own-tracks.ts";
import { body, operation, param } from "../http/contract.ts";
import type { AppEnv } from "../http/env.ts";
import { ErrorBody } from "../http/errors.ts";
import { seal } from "../http/sealing.ts";
import { requireUser } from "../http/viewer.ts";
import { dispatch } from "./dispatch.ts";
import { SharesBody, TrackId } from "./input.ts";
import { done, REFUSALS } from "./refusals.ts";
import { asTrack } from "./represent.ts";
import { Track } from "./representation.ts";
import { hashSecretToken, newSecretToken } from "./secret.ts";
import { representSecret, representShares, SecretTokenBody, TrackShares } from "./sharing.ts";
import { visibleTrack } from "./visible.ts";

/** What only a track's owner may ask of it: 403 for whoever else sees it. */
export const owning = new Hono<AppEnv>();

const refusals = { 403: ErrorBody, 404: ErrorBody };

owning.get(
  "/:id/secret-token",
  operation("Get a track's secret token", { 200: SecretTokenBody, ...refusals }),
  requireUser,
  param(TrackId),
  async (c) => {
    const track = asTrack(c.env, await visibleTrack(c, c.req.valid("param").id));
    return c.json(representSecret(track.uri, track.secret_token ?? REFUSALS.not_yours()));
  },
);

owning.put(
  "/:id/secret-token",
  operation(
    "Replace a track's secret token",
    { 200: SecretTokenBody, ...refusals },
    {
      description: "Links with the old one stop working at once, those to a private track's audio included.",
    },
  ),
  requireUser,
  param(TrackId),
  async (c) => {
    const { id } = c.req.valid("param");
    const secret = newSecretToken();
    const stored = { hash: hashSecretToken(secret), sealed: seal(c.env, secret) };
    done(await rotateTrackSecret(c.var.db, c.var.viewer, id, stored));
    return c.json(representSecret(`${c.env.API_URL}/tracks/${id}`, secret));
  },
);

owning.get(
  "/:id/shared-to/users",
  operation("Get the people a track is shared with", { 200: TrackShares, ...refusals }),
  requireUser,
  param(TrackId),
  async (c) => {
    const { id } = c.req.valid("param");
    return c.json(representShares(c.env, done(await findTrackShares(c.var.db, c.var.viewer, id))));
  },
);

owning.put(
  "/:id/shared-to/users",
  operation(
    "Share a track with people",
    { 200: TrackShares, ...refusals },
    { description: "The whole list replaces the one before. They see and hear the track, private or not." },
  ),
  requireUser,
  param(TrackId),
  body(SharesBody),
  async (c) => {
    const { users, sharing_note } = c.req.valid("json");
    const ids = users.map(({ id }) => id);
    const shared = await shareTrack(c.var.db, c.var.viewer, c.req.valid("param").id, ids, sharing_note);
    return c.json(representShares(c.env, done(shared)));
  },
);

owning.post(
  "/:id/retry",
  operation(
    "Encode a failed track again",
    { 200: Track, ...refusals, 409: ErrorBody, 422: ErrorBody },
    { description: "409 unless it failed; 422 where the file was the cause." },
  ),
  requireUser,
  param(TrackId),
  async (c) => {
    const { track, generation } = done(await retryTrack(c.var.db, c.var.viewer, c.req.valid("param").id));
    dispatch(c, { track: track.id, generation });
    return c.json(asTrack(c.env, track));
  },
);

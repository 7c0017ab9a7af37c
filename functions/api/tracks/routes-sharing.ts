import {
  findTrackShares,
  retryTrack,
  rotateTrackSecret,
  shareTrack,
} from "../../../db/queries/own-tracks.ts";
import { budgetOf, settleBudget } from "../../lib/http/limits/budgets.ts";
import { apiUrl } from "../../lib/http/links.ts";
import { Routes } from "../../lib/http/route.ts";
import { unsealBase64 } from "../../lib/security/sealing.ts";
import { dispatch } from "./dispatch.ts";
import { REFUSALS, unwrap } from "./errors.ts";
import { findVisibleTrack } from "./find.ts";
import { SharesBody, TrackId } from "./input.ts";
import { representTrack, Track } from "./representation.ts";
import { newSecret } from "./secret.ts";
import { representSecret, representShares, SecretTokenBody, TrackShares } from "./sharing.ts";

/** Requests that only a track's owner may make. */
export const trackSharing = new Routes();

const OTHERS = { 403: "The track is another user's." };

trackSharing.get(
  "/tracks/:id/secret-token",
  {
    operationId: "getTrackSecretToken",
    summary: "Get a track's secret token",
    description: "Owners only. Whoever has the token can open the private track.",
    auth: "user",
    params: TrackId,
    replies: { 200: SecretTokenBody },
    errors: OTHERS,
  },
  async (c, { params }) => {
    const { id, secret_sealed: sealed } = await findVisibleTrack(c, params.id);
    const secret = unsealBase64(c.env, sealed ?? REFUSALS.not_yours()) ?? "";
    return c.json(representSecret(apiUrl(c.env, `/tracks/${id}`), secret));
  },
);

trackSharing.put(
  "/tracks/:id/secret-token",
  {
    operationId: "replaceTrackSecretToken",
    summary: "Replace a track's secret token",
    description: "Links with the old token stop working at once, including links to a private track's audio.",
    auth: "user",
    scope: "tracks",
    params: TrackId,
    replies: { 200: SecretTokenBody },
    errors: OTHERS,
  },
  async (c, { params: { id } }) => {
    const { token, stored } = newSecret(c.env);
    unwrap(await rotateTrackSecret(c.var.db, c.var.viewer, id, stored));
    return c.json(representSecret(apiUrl(c.env, `/tracks/${id}`), token));
  },
);

trackSharing.get(
  "/tracks/:id/shared-to/users",
  {
    operationId: "getTrackShares",
    summary: "Get the people a track is shared with",
    description: "Owners only. These people see the private track without its token.",
    auth: "user",
    params: TrackId,
    replies: { 200: TrackShares },
    errors: OTHERS,
  },
  async (c, { params }) =>
    c.json(representShares(c.env, unwrap(await findTrackShares(c.var.db, c.var.viewer, params.id)))),
);

trackSharing.put(
  "/tracks/:id/shared-to/users",
  {
    operationId: "replaceTrackShares",
    summary: "Share a track with people",
    description: "Replaces the whole list. These people can see and hear the track even if it is private.",
    auth: "user",
    scope: "tracks",
    params: TrackId,
    body: SharesBody,
    replies: { 200: TrackShares },
    errors: { ...OTHERS, 429: "Too many tracks shared with more people in an hour." },
  },
  async (c, { params, body: { users, sharing_note: note } }) => {
    const ids = users.map(({ id }) => id);
    const budget = budgetOf(c.env, "shares");
    const shared = await shareTrack(c.var.db, c.var.viewer, params.id, { users: ids, note, budget });
    return c.json(representShares(c.env, unwrap(settleBudget(c, "shares", shared))));
  },
);

trackSharing.post(
  "/tracks/:id/retry",
  {
    operationId: "retryTrack",
    summary: "Encode a failed track again",
    description: "Only a track whose `state` is `failed`. It becomes `processing`.",
    auth: "user",
    scope: "tracks",
    params: TrackId,
    madeAt: "/tracks",
    replies: { 200: Track },
    errors: { ...OTHERS, 409: "The track has not failed.", 422: "The file was the cause." },
  },
  async (c, { params }) => {
    const { track, generation } = unwrap(await retryTrack(c.var.db, c.var.viewer, params.id));
    dispatch(c, { track: track.id, generation });
    return c.json(representTrack(c.env, track));
  },
);

import { Hono } from "hono";
import { playTrack } from "../../db/queries/plays.ts";
import { addressOf } from "../http/address.ts";
import { operation, param, query } from "../http/contract.ts";
import type { AppEnv } from "../http/env.ts";
import { ErrorBody, notFound } from "../http/errors.ts";
import { StatusBody, statusBody } from "../http/status.ts";
import { requireApp } from "../http/viewer.ts";
import { SecretToken, TrackId } from "../tracks/input.ts";
import { REFUSALS } from "../tracks/refusals.ts";
import { presentedBy } from "../tracks/secret.ts";
import { playMark } from "./listener.ts";

/** Under `/tracks`. */
export const plays = new Hono<AppEnv>();

plays.post(
  "/:id/plays",
  operation(
    "Tell that a track is being played",
    { 200: StatusBody, 403: ErrorBody, 404: ErrorBody },
    {
      description:
        "For players that fetch no stream of ours: whoever does is counted by that already. However often it is told, a listener's play of a track counts once in any 30 minutes.",
    },
  ),
  requireApp,
  param(TrackId),
  query(SecretToken),
  async (c) => {
    const { id } = c.req.valid("param");
    const { userId, clientId } = c.var.viewer;
    const mark = playMark(c.env, id, { userId, app: clientId, address: addressOf(c.req) });
    const presented = presentedBy(c.req, c.req.valid("query").secret_token);
    const { outcome } = await playTrack(c.var.db, c.var.viewer, id, presented, mark);
    if (outcome === "not_ready") return notFound("Stream");
    return outcome === "done" ? c.json(statusBody(200)) : REFUSALS[outcome]();
  },
);

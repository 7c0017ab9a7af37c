import type { Context } from "hono";
import type { Authorized } from "../../db/queries/caller.ts";
import { createTrack, type NewTrack, type TrackCreation, type TrackRow } from "../../db/queries/tracks.ts";
import type { UserEnv } from "../http/env.ts";
import { invalid, stillSignedIn } from "../http/errors.ts";
import { describeError, logLine } from "../http/log.ts";
import { seal } from "../http/sealing.ts";
import { slug } from "../http/slug.ts";
import type { NewTrackFields } from "./input.ts";
import { hashSecretToken, newSecretToken } from "./secret.ts";

/** What has no ASCII letter or digit is called `track`; `/{user}/sets/…` are playlists. */
export function permalinkOf(title: string): string {
  const words = slug(title);
  return !words || words === "sets" ? `track${words && `-${words}`}` : words;
}

export const createTrackFromUpload = (c: Context<UserEnv>, { upload_id, ...fields }: NewTrackFields) =>
  acceptTrack(c, fields, (track) => createTrack(c.var.db, c.var.viewer, { ...track, uploadId: upload_id }));

type Insert = (track: Omit<NewTrack, "uploadId">) => Promise<Authorized<TrackCreation>>;

/** Accepts a track in one transaction, then tells the queue. A lost message is found again by the reconciling cron. */
export async function acceptTrack(
  c: Context<UserEnv>,
  fields: Omit<NewTrackFields, "upload_id">,
  insert: Insert,
): Promise<TrackRow> {
  const secret = newSecretToken();
  const creation = stillSignedIn(
    await insert({
      fields,
      permalink: permalinkOf(fields.title),
      secretHash: hashSecretToken(secret),
      secretSealed: seal(c.env, secret),
    }),
  );
  if (creation.outcome === "unknown_upload") return invalid("track[upload_id]: no such upload of yours");
  if (creation.outcome === "not_ready")
    return invalid(`track[upload_id]: the upload is ${creation.status}, not ready`);
  if (creation.outcome === "created") c.executionCtx.waitUntil(dispatch(c, creation.track.id));
  return creation.track;
}

async function dispatch(c: Context<UserEnv>, track: number): Promise<void> {
  try {
    await c.env.JOBS.send({ track, generation: 1 });
  } catch (error) {
    logLine("warn", "job_send_failed", { request_id: c.var.requestId, track, ...describeError(error) });
  }
}

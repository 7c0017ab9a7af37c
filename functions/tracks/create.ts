import type { Context } from "hono";
import { createTrack, type NewTrack, type TrackCreation, type TrackRow } from "../../db/queries/tracks.ts";
import type { UserEnv } from "../http/env.ts";
import { invalid } from "../http/errors.ts";
import { seal } from "../security/sealing.ts";
import { columnsOf } from "./columns.ts";
import { dispatch } from "./dispatch.ts";
import type { NewTrackFields } from "./input.ts";
import { permalinkOf } from "./permalink.ts";
import { REFUSALS } from "./refusals.ts";
import { hashSecretToken, newSecretToken } from "./secret.ts";

export const createTrackFromUpload = (c: Context<UserEnv>, { upload_id, ...fields }: NewTrackFields) =>
  acceptTrack(c, fields, (track) => createTrack(c.var.db, c.var.viewer, { ...track, uploadId: upload_id }));

type Insert = (track: Omit<NewTrack, "uploadId">) => Promise<TrackCreation>;

/**
 * Creates a track in one transaction, then notifies the queue. The reconciling cron recovers a lost message.
 */
export async function acceptTrack(
  c: Context<UserEnv>,
  fields: Omit<NewTrackFields, "upload_id">,
  insert: Insert,
): Promise<TrackRow> {
  const secret = newSecretToken();
  const creation = await insert({
    fields: columnsOf(fields),
    permalink: await permalinkOf(fields.title),
    secretHash: hashSecretToken(secret),
    secretSealed: seal(c.env, secret),
  });
  if (creation.outcome === "unknown_upload") return invalid("track[upload_id]: you have no such upload");
  if (creation.outcome === "not_ready")
    return invalid(`track[upload_id]: the upload is ${creation.status}, not ready`);
  if (!("track" in creation)) return REFUSALS[creation.outcome](fields);
  if (creation.outcome === "created") dispatch(c, { track: creation.track.id, generation: 1 });
  return creation.track;
}

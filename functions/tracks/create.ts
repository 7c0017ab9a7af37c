import type { Context } from "hono";
import { createTrack, type TrackRow } from "../../db/queries/tracks.ts";
import type { UserEnv } from "../http/env.ts";
import { invalid, stillSignedIn } from "../http/errors.ts";
import { seal } from "../http/sealing.ts";
import { columnsOf } from "./columns.ts";
import { dispatch } from "./dispatch.ts";
import type { NewTrackFields } from "./input.ts";
import { permalinkOf } from "./permalink.ts";
import { REFUSALS } from "./refusals.ts";
import { hashSecretToken, newSecretToken } from "./secret.ts";

/** Accepts a track in one transaction, then tells the queue. A lost message is found again by the reconciling cron. */
export async function createTrackFromUpload(c: Context<UserEnv>, fields: NewTrackFields): Promise<TrackRow> {
  const { upload_id, ...own } = fields;
  const secret = newSecretToken();
  const creation = stillSignedIn(
    await createTrack(c.var.db, c.var.viewer, {
      uploadId: upload_id,
      fields: columnsOf(own),
      permalink: permalinkOf(own.title),
      secretHash: hashSecretToken(secret),
      secretSealed: seal(c.env, secret),
    }),
  );
  if (creation.outcome === "unknown_upload") return invalid("track[upload_id]: no such upload of yours");
  if (creation.outcome === "not_ready")
    return invalid(`track[upload_id]: the upload is ${creation.status}, not ready`);
  if (!("track" in creation)) return REFUSALS[creation.outcome]();
  if (creation.outcome === "created") dispatch(c, { track: creation.track.id, generation: 1 });
  return creation.track;
}
